/** Loads in simulation: each is played once, for the pages made of it and for what has to hold of it. */
import { describe } from "vitest";
import { pictureTests } from "./pictures.ts";
import { realClientTests } from "./real-clients.ts";
import { scenarioTests } from "./scenarios.ts";

describe("scenarios", scenarioTests);
describe("processes as they start, clients as they are", realClientTests);
describe("pictures", pictureTests);
