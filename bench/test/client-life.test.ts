import { expect, test } from "vitest";
import { SITUATIONS } from "../client/life/situations.ts";
import { clientsOf, trial } from "../client/life/trial.ts";

test.each(SITUATIONS)("$name starts, and each client is measured", async (situation) => {
  const trials = await trial(situation, 1500);
  expect([...trials.keys()]).toEqual(clientsOf(situation));
  for (const shares of trials.values()) {
    // Nothing at all was measured where nothing was sent, or no answer understood.
    expect(Math.max(...Object.values(shares).filter(Number.isFinite))).toBeGreaterThan(0);
    for (const [what, value] of Object.entries(shares)) expect(value, what).not.toBeNaN();
  }
});
