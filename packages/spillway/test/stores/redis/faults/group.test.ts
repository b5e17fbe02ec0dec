import { describe, test } from "vitest";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { REDIS } from "./fault.ts";
import { GROUP_FAULTS } from "./group-faults.ts";

describe.concurrent("what happens to servers that stand in for each other", () => {
  test.for(GROUP_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault, REDIS)));
});
