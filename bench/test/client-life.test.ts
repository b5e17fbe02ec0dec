import { expect, test } from "vitest";
import { SITUATIONS } from "../client/life/situations.ts";
import { clientsOf, trial } from "../client/life/trial.ts";

/** Milliseconds: enough for something to be answered, even where many begin at once. */
const SHORT = 2500;

test.concurrent.each(SITUATIONS)("$name starts, and each client is measured", async (situation) => {
  const trials = await trial(situation, SHORT);
  expect([...trials.keys()]).toEqual(clientsOf(situation));
  const shares = [...trials.values()].flatMap((each) => Object.entries(each));
  for (const [what, value] of shares) expect(value, what).not.toBeNaN();
  // Nothing at all was measured where nothing was sent, or no answer understood.
  const values = shares.map(([, value]) => value).filter(Number.isFinite);
  expect(Math.max(...values)).toBeGreaterThan(0);
});
