import { describe, test } from "vitest";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { POSTGRES } from "./fault.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

// On a busy machine one run in some thirty has hung until its time was over, and why is not known: it
// is run once more, and a second such run fails. What a run that ends has counted is judged once.
const RETRY = { retry: { count: 1, condition: /timed out/ } };

describe.concurrent("what happens to a server", RETRY, () => {
  test.for(SERVER_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault, POSTGRES)));
});
