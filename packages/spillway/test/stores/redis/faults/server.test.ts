import { describe, test } from "vitest";
import { runFault } from "./fault-run.ts";
import { SERVER_FAULTS } from "./server-faults.ts";
import { expectHeld } from "./verdict.ts";

describe.concurrent("what happens to one server", () => {
  test.for(SERVER_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault)));
});
