/** Law 10, while several definitions of one limit are in use: what they admit between them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type { Budget, Kind, Limit, Store } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { admitsNoLessThanAlone, admitsNoMoreThanApart } from "../../src/testing/turns.ts";
import { runs } from "../runs.ts";
import { ALL, smallLimit, turns } from "./small-definitions.ts";

const PAIRS = ALL.flatMap((one) => ALL.map((other) => [one, other] as const));

/** Definitions of two kinds, and perhaps a third of any. */
const definitions = (one: Kind, other: Kind) =>
  fc
    .tuple(
      smallLimit(one),
      smallLimit(other),
      fc.option(fc.constantFrom(...ALL).chain(smallLimit), { nil: undefined }),
    )
    .map((some) => some.filter((limit) => limit !== undefined) as readonly Limit[]);

describe.each(PAIRS)("law 10: a %s and a %s take turns", (one, other) => {
  test("each admits only what it would admit alone", async () => {
    const pause = fc.oneof(fc.constant(0), fc.nat(300), fc.nat(20_000));
    const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 14 }));
    await fc.assert(
      fc.asyncProperty(definitions(one, other), turns(pause, count), async (limits, drawn) => {
        const clock = manualClock();
        const all = drawn.map((turn) => ({ ...turn, which: turn.which % limits.length }));
        await admitsNoMoreThanApart({ store: memoryStore({ clock }), clock, limits, turns: all });
      }),
      { numRuns: runs(60) },
    );
  });

  test("together they admit no less than each would alone", async () => {
    await fc.assert(
      fc.asyncProperty(
        definitions(one, other),
        fc.infiniteStream(fc.nat()),
        async (limits, stream) => {
          const clock = manualClock();
          const settle = Math.max(...limits.map(longestReset));
          const step = Math.max(1, Math.floor(settle / 60));
          const all = Array.from({ length: 400 }, () => ({
            which: (stream.next().value as number) % limits.length,
            pause: (stream.next().value as number) % (2 * step),
            count: 1,
            reserve: false,
          }));
          const store = memoryStore({ clock });
          await admitsNoLessThanAlone({ store, clock, limits, turns: all }, { settled: 120 });
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

test("what was admitted before nothing was left does not make up for too little after it", async () => {
  const clock = manualClock();
  const store = memoryStore({ clock });
  let calls = 0;
  const stopping: Store<"now"> = {
    timing: "now",
    execute(command) {
      const [budget] = command.budgets as readonly [Budget];
      if (++calls > 10) store.execute({ verb: "block", budgets: [budget], ms: 1000 });
      return store.execute(command);
    },
  };
  const limits: Limit[] = [{ kind: "token bucket", rate: 10, period: 1000 }];
  const turns = Array.from({ length: 20 }, () => ({
    which: 0,
    pause: 100,
    count: 1,
    reserve: false,
  }));
  const law = admitsNoLessThanAlone({ store: stopping, clock, limits, turns }, { settled: 10 });
  await expect(law).rejects.toThrow("0 admitted, at least 9 expected");
});

/** How long it may take until nothing is left of what was used, in milliseconds. */
function longestReset(limit: Limit): number {
  const { capacity, rate, period } = planFor("it", limit);
  return 2 * Math.ceil(capacity / rate) * period;
}

test("a key is not dropped while a definition that was not asked under last remembers it", () => {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const limiterOf = (it: Limit) => new RateLimiter({ it }, { store, warn: () => {} });
  const [slow, fast] = [
    limiterOf({ kind: "token bucket", rate: 5, period: "1h" }),
    limiterOf({ kind: "token bucket", rate: 5, period: 1 }),
  ];
  slow.limit("it", { key: "k", count: 5 });
  fast.check("it", { key: "k" });
  clock.advance(100);
  for (let other = 0; other < 100; other++) fast.limit("it", { key: `other ${other}` });
  expect(slow.limit("it", { key: "k" }).ok).toBe(false);
});
