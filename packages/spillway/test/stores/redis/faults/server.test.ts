import { describe, test } from "vitest";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { REDIS } from "./fault.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

describe.concurrent("what happens to one server", () => {
  test.for(SERVER_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault, REDIS)));
});
