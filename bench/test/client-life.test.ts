import { expect, test } from "vitest";
import { someOf } from "../../packages/spillway/test/runs.ts";
import { LASTING, type Situation } from "../client/life/situation.ts";
import { SITUATIONS } from "../client/life/situations.ts";
import { clientsOf, trial } from "../client/life/trial.ts";

/** Milliseconds: enough for something to be answered, where the machine is not slow. */
const SHORT = 2500;

/** A trial in which something was measured: a longer one where nothing was sent, or no answer understood. */
async function measured(situation: Situation): Promise<Awaited<ReturnType<typeof trial>>> {
  for (let lasting = SHORT; ; lasting *= 4) {
    const trials = await trial(situation, lasting);
    const values = [...trials.values()].flatMap((each) => Object.values(each));
    if (lasting >= LASTING || values.some((value) => value > 0 && value < Infinity)) return trials;
  }
}

test.concurrent.each(someOf(SITUATIONS, 4))(
  "$name starts, and each client is measured",
  async (situation) => {
    const trials = await measured(situation);
    expect([...trials.keys()]).toEqual(clientsOf(situation));
    const shares = [...trials.values()].flatMap((each) => Object.entries(each));
    for (const [what, value] of shares) expect(value, what).not.toBeNaN();
    const values = shares.map(([, value]) => value).filter(Number.isFinite);
    expect(Math.max(...values)).toBeGreaterThan(0);
  },
);
