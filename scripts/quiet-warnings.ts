/** Keeps the console of a test run for what went wrong in it. */
import { quietWarnings } from "../packages/spillway/src/testing/index.ts";

quietWarnings();
