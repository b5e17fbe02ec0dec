import { describe, test } from "vitest";
import { runFault } from "./fault-run.ts";
import { GROUP_FAULTS } from "./group-faults.ts";
import { expectHeld } from "./verdict.ts";

/** Milliseconds: a cluster takes a busy machine its time to start, and to settle. */
const PATIENCE = 120_000;

describe.concurrent("what happens to servers that stand in for each other", () => {
  test.for(GROUP_FAULTS)("$name", { timeout: PATIENCE }, async (fault) =>
    expectHeld(await runFault(fault)),
  );
});
