import { describe, test } from "vitest";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { REDIS } from "./fault.ts";
import { REDIS_NETWORK_FAULTS } from "./network-faults.ts";

describe.concurrent("what happens between clients and a server", () => {
  test.for(REDIS_NETWORK_FAULTS)("$name", async (fault) =>
    expectHeld(await runFault(fault, REDIS)),
  );
});
