/** Compares random draws on a store with those on a memory store. */
import { planFor } from "../limits/algorithms/index.ts";
import {
  type Budget,
  type Draw,
  type Limit,
  type Plan,
  RATE_KINDS,
  type Random,
  type RateKind,
  type ShareRef,
  type Store,
  type Timing,
} from "../limits/core/index.ts";
import { asking } from "./asking.ts";
import type { Comparison } from "./cases.ts";
import { expectEqual } from "./expect.ts";
import { sampleAsk, sampleLimitOf, samplePause, whole } from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";

const LENT = (Object.keys(RATE_KINDS) as RateKind[]).filter(
  (kind) => RATE_KINDS[kind].lentNumber > 0,
);

/** Compares a store with a memory store, call by call, while units of its limits are lent. */
export async function compareShares({ store, ours, clock, seed }: Comparison): Promise<void> {
  const random = seededRandom(seed);
  // One limit has three definitions: the first is used most, the third has no `share`. The fourth
  // definition is of another limit.
  const [lent, next, last] = [sampleLent(random), sampleLent(random), sampleLent(random)];
  const limits = [lent, next, withoutShare(last), last];
  const plans = limits.map((limit, index) => planFor(index < 3 ? "it" : "other", limit));
  const shortest = Math.min(...plans.map(({ period }) => period));
  const shares: ShareRef[] = [];
  for (let step = 0; step < 150; step++) {
    // Sometimes sends three calls at once, which a store may carry out in one request. It keeps
    // their order if they are of one definition, as here.
    const plan = plans[
      whole(random, { low: 0, high: 9 }) > 1 ? 0 : whole(random, { low: 0, high: 2 })
    ] as Plan;
    const other = plans[3] as Plan;
    const calls = Array.from({ length: random() < 0.2 ? 3 : 1 }, (_, index) =>
      sampleCall(random, { plan, other, shares, id: 3 * step + index + 1 }),
    );
    const where = `seed ${seed}, step ${step}, ${JSON.stringify(limits)}`;
    const all = (of: Store<Timing>) => Promise.all(calls.map((call) => call(of)));
    expectEqual(await all(store), await all(ours), where);
    clock.advance(samplePause(random, { kind: "token bucket", rate: 1, period: 800 }));
    // The clock goes back by less than any period. Further back, one store may have deleted a state
    // that the other still has.
    if (step % 50 === 49) clock.advance(-whole(random, { low: 0, high: shortest - 1 }));
  }
}

/** Returns a random limit of any kind whose units can be lent. */
export function sampleLent(random: Random): Limit {
  const kind = LENT[whole(random, { low: 0, high: LENT.length - 1 })] as RateKind;
  const limit = sampleLimitOf(random, kind) as Limit & { readonly period: number };
  const longest = RATE_KINDS[kind].windows ? limit.period : 4000;
  if (longest < 100) return sampleLent(random);
  return { ...limit, share: whole(random, { low: 100, high: longest }) } as Limit;
}

/** Returns the same limit without `share`. */
export function withoutShare(limit: Limit): Limit {
  const { share: _, ...rest } = limit as Limit & { readonly share?: unknown };
  return rest as Limit;
}

type ShareComparison = {
  readonly plan: Plan;
  readonly other: Plan;
  readonly shares: ShareRef[];
  readonly id: number;
};

/** Returns a random call: mostly a draw. */
function sampleCall(
  random: Random,
  { plan, other, shares, id }: ShareComparison,
): (store: Store<Timing>) => unknown {
  const draw = (high: number) => whole(random, { low: 0, high });
  const budget: Budget = { plan, key: `key ${draw(4) === 0 ? 1 : 0}` };
  const ask = { ...budget, ...sampleAsk(random, plan) };
  const beside = { ...ask, plan: other, count: draw(2) };
  const settlement = { reserved: ask.count, used: draw(5) };
  const rare = draw(8);
  const calls: readonly ((store: Store<Timing>) => unknown)[] = [
    (store) => asking(store).limit(ask),
    (store) => asking(store).check(ask),
    (store) => asking(store).value(budget),
    (store) => asking(store).limitAll([ask, beside]),
    (store) => asking(store).checkAll([ask, beside]),
    (store) => asking(store).settle(budget, settlement),
    (store) => (rare === 0 ? asking(store).reset(budget) : asking(store).limit(ask)),
    (store) => (rare === 1 ? asking(store).block(budget, 500) : asking(store).check(ask)),
    (store) => (rare === 2 ? asking(store).unblock(budget) : asking(store).check(ask)),
  ];
  const which = draw(20);
  const drawing = sampleDraw(random, shares, id);
  return calls[which] ?? ((store) => asking(store).draw(ask, drawing));
}

/**
 * Returns a random draw. It reports earlier shares, also ended ones and ones that were never lent.
 */
function sampleDraw(random: Random, shares: ShareRef[], id: number): Draw {
  const draw = (high: number) => whole(random, { low: 0, high });
  const some = (): ShareRef[] =>
    shares.length === 0 || draw(1) === 0
      ? []
      : Array.from({ length: 1 + draw(1) }, () => {
          const { id, units } = shares[Math.max(0, shares.length - 1 - draw(5))] as ShareRef;
          return { id, units: draw(units) };
        });
  const want = draw(6);
  const drawing = {
    id: draw(20) === 0 ? Math.max(1, id - 3) : id,
    want,
    left: some(),
    back: some(),
  };
  shares.push({ id: drawing.id, units: want });
  return drawing;
}
