/** Law 2 where units are lent: what a draw is refused with, whatever is out, has ended, or comes back. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Command, Decision, Draw, Plan } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { lentLimits } from "./lent-limits.ts";

/** A draw, after a pause: what it wants, and what it says of a share that was lent before. */
type Step = {
  readonly pause: number;
  readonly count: number;
  readonly want: number;
  readonly share: number;
  readonly says: "nothing" | "left" | "back";
  readonly units: number;
};

/** Draws on one key of a store of its own. */
class Draws {
  readonly #clock = manualClock();
  readonly #store = memoryStore({ clock: this.#clock });
  readonly #plan: Plan;
  #id = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  make({ pause, count, want, share, says, units }: Step): Decision {
    this.#clock.advance(pause);
    const id = ++this.#id;
    const said = says !== "nothing" && id > 1 ? [{ id: 1 + (share % (id - 1)), units }] : [];
    const draw: Draw = {
      id,
      want,
      left: says === "left" ? said : [],
      back: says === "back" ? said : [],
    };
    const budgets = [{ plan: this.#plan, key: "k", count, reserve: false }] as const;
    const command = { verb: "draw", budgets, draw } as const satisfies Command;
    return this.#store.execute(command).decision;
  }
}

/** Whether an ask of the last step is admitted so much later, if nothing else happens. */
function isAdmitted(plan: Plan, steps: readonly Step[], pause: number): boolean {
  const draws = new Draws(plan);
  for (const step of steps) draws.make(step);
  const { count } = steps.at(-1) as Step;
  return draws.make({ pause, count, want: 0, share: 0, says: "nothing", units: 0 }).ok;
}

const step: fc.Arbitrary<Step> = fc.record({
  pause: fc.oneof(fc.constant(0), fc.nat(200), fc.nat(3000)),
  count: fc.nat(4),
  want: fc.nat(10),
  share: fc.nat(),
  says: fc.constantFrom("nothing", "left", "back"),
  units: fc.nat(5),
});

test("a draw that is refused is admitted after retryAfter, and not a millisecond earlier", () => {
  const all = fc.array(step, { minLength: 5, maxLength: 40, size: "max" });
  fc.assert(
    fc.property(lentLimits, all, (limit, steps) => {
      const plan = planFor("it", limit);
      const draws = new Draws(plan);
      for (const [place, one] of steps.entries()) {
        const { ok, retryAfter } = draws.make(one);
        if (ok || retryAfter === Number.POSITIVE_INFINITY) continue;
        const done = steps.slice(0, place + 1);
        expect(isAdmitted(plan, done, retryAfter)).toBe(true);
        expect(isAdmitted(plan, done, retryAfter - 1)).toBe(false);
      }
    }),
    { numRuns: runs(400) },
  );
});
