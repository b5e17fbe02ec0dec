/** Keeps the console of a test run for what went wrong in it. */
import { quietWarnings } from "../src/testing/index.ts";

quietWarnings();
