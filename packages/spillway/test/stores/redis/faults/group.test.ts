import { describe, test } from "vitest";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { REDIS } from "./fault.ts";
import { GROUP_FAULTS } from "./group-faults.ts";

/** Milliseconds: a cluster takes a busy machine its time to start, and to settle. */
const PATIENCE = 120_000;

describe.concurrent("what happens to servers that stand in for each other", () => {
  test.for(GROUP_FAULTS)("$name", { timeout: PATIENCE }, async (fault) =>
    expectHeld(await runFault(fault, REDIS)),
  );
});
