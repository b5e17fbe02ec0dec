import { describe, test } from "vitest";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { POSTGRES } from "./fault.ts";
import { POSTGRES_NETWORK_FAULTS } from "./network-faults.ts";

describe.concurrent("what happens between clients and a server", () => {
  test.for(POSTGRES_NETWORK_FAULTS)("$name", async (fault) =>
    expectHeld(await runFault(fault, POSTGRES)),
  );
});
