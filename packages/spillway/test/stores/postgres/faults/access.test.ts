import { describe, expect, test } from "vitest";
import { degradedIn, KEY } from "../../faults/fault.ts";
import { runFault } from "../../faults/fault-run.ts";
import { expectHeld } from "../../faults/verdict.ts";
import { ACCESS_FAULTS, READ_ONLY } from "./access-faults.ts";
import { POSTGRES } from "./fault.ts";
import { LOCKED_ROW, LOCKED_ROW_AMONG_OTHERS } from "./locked-row.ts";

describe.concurrent("what a server does not let clients do", () => {
  test.for(ACCESS_FAULTS)("$name", async (fault) => expectHeld(await runFault(fault, POSTGRES)));

  test(`${READ_ONLY.name}: those who only look are answered as ever`, async () => {
    const outcome = await runFault(READ_ONLY, POSTGRES);
    expectHeld(outcome);
    const [taking, looking] = outcome.phases("during");
    expect(taking && degradedIn(taking)).toBeGreaterThan(0);
    expect(looking && degradedIn(looking)).toBe(0);
  });

  test(`${LOCKED_ROW.name}: nobody else is concerned`, async () => {
    const outcome = await runFault(LOCKED_ROW, POSTGRES);
    expectHeld(outcome);
    for (const { events, tallies } of outcome.phases("during")) {
      expect(events.paused).toBe(0);
      const others = tallies.filter(({ asking }) => asking.key === KEY);
      expect(others.map(({ degraded }) => degraded.refused)).toEqual([{}, {}]);
    }
  });

  test(`${LOCKED_ROW_AMONG_OTHERS.name}: asking goes on`, async () => {
    const outcome = await runFault(LOCKED_ROW_AMONG_OTHERS, POSTGRES);
    expectHeld(outcome);
    for (const { events } of outcome.phases("during")) expect(events.paused).toBe(0);
  });
});
