import { describe, test } from "vitest";
import { runFault } from "./fault-run.ts";
import { NETWORK_FAULTS } from "./network-faults.ts";
import { expectHeld } from "./verdict.ts";

describe.concurrent("what happens between clients and a server", () => {
  test.for(NETWORK_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault)));
});
