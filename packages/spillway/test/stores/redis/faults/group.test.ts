import { describe, test } from "vitest";
import { runs } from "../../../runs.ts";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { REDIS } from "./fault.ts";
import { GROUP_FAULTS } from "./group-faults.ts";
import { MOVING_FAULTS } from "./moving-faults.ts";

/** `npm run soak` does all; in `npm test` a node that dies stands for one that is cut off, or stops. */
const MOVING = runs(1) > 1 ? MOVING_FAULTS : MOVING_FAULTS.slice(0, 1);

describe.concurrent("what happens to servers that stand in for each other", () => {
  test.for([...GROUP_FAULTS, ...MOVING])("$name", async (fault) =>
    expectHeld(await runFault(fault, REDIS)),
  );
});
