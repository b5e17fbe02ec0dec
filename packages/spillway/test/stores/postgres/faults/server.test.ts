import { describe, test } from "vitest";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { POSTGRES } from "./fault.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

describe.concurrent("what happens to a server", () => {
  test.for(SERVER_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault, POSTGRES)));
});
