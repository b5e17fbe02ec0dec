import { planFor } from "../limits/algorithms/index.ts";
import type {
  Budget,
  LeaseRef,
  Limit,
  LimitSettings,
  Plan,
  Random,
  Store,
  Timing,
} from "../limits/core/index.ts";
import { asking } from "./asking.ts";
import type { Comparison } from "./cases.ts";
import { expectEqual } from "./expect.ts";
import { sampleAsk, sampleLimit, sampleLimitOf, samplePause, whole } from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";

/** More definitions of one limit than a store keeps side by side. */
const DEFINITIONS = 12;

/** Compares a store with a memory store, call by call, while definitions of one limit alternate. */
export async function compareTurns({ store, ours, clock, seed }: Comparison): Promise<void> {
  const random = seededRandom(seed);
  const limits = Array.from({ length: DEFINITIONS }, () => sampleDefinition(random));
  const plans = limits.map((limit) => planFor("it", limit));
  const shortest = Math.min(...plans.map(({ period }) => period));
  const lent: SampledLease[] = [];
  const { overrides = false } = store;
  const settings = store.penalties ? samplePenalty(seed) : undefined;
  // Every second seed uses two of them for most calls, as in a deploy. The others use all equally.
  const mostly = seed % 2 === 0 ? 2 : DEFINITIONS;
  for (let step = 0; step < 150; step++) {
    const call = sampleCall(random, { plans, mostly, lent, step, overrides, settings });
    const where = `seed ${seed}, step ${step}, ${JSON.stringify(limits)}`;
    expectEqual(await call(store), await call(ours), where);
    clock.advance(samplePause(random, { kind: "token bucket", rate: 1, period: 800 }));
    // The clock goes back by less than any period. Further back, one store may have deleted a state
    // that the other still has.
    if (step % 50 === 49) clock.advance(-whole(random, { low: 0, high: shortest - 1 }));
  }
}

/** Returns a random limit of any kind. */
function sampleDefinition(random: Random): Limit {
  return random() > 0.17 ? sampleLimit(random) : sampleLimitOf(random, "concurrency");
}

type SampledLease = { readonly budget: Budget; readonly held: LeaseRef };
type TurnComparison = {
  readonly plans: readonly Plan[];
  readonly mostly: number;
  readonly lent: SampledLease[];
  readonly step: number;
  readonly overrides: boolean;
  /** For a part of the asks under rates, as if programs had different penalties. */
  readonly settings: LimitSettings | undefined;
};

/** Returns a random call of any method, under any definition. */
function sampleCall(
  random: Random,
  { plans, mostly, lent, step, overrides, settings }: TurnComparison,
): (store: Store<Timing>) => unknown {
  const draw = (high: number) => whole(random, { low: 0, high });
  const plan = plans[draw((random() < 0.8 ? mostly : plans.length) - 1)] as Plan;
  const budget = { plan, key: `key ${draw(4) === 0 ? 1 : 0}` };
  const ask = askOf(budget, sampleAsk(random, plan), step + 1);
  const settlement = { reserved: ask.count, used: draw(5) };
  const back = lent[draw(Math.max(0, lent.length - 1))];
  const rare = draw(8);
  const counted = rare > 2 && plan.family.name === "rates" ? { ...ask, settings } : ask;
  const own = { plan: sampleOverride(random, plans, plan), ms: draw(2) * 300 };
  const calls: readonly ((store: Store<Timing>) => unknown)[] = [
    (store) => asking(store).check(ask),
    (store) => asking(store).value(budget),
    (store) => asking(store).settle(budget, settlement),
    (store) => (rare === 0 ? asking(store).reset(budget) : asking(store).value(budget)),
    (store) => (rare === 1 ? asking(store).block(budget, 500) : asking(store).check(ask)),
    (store) => (rare === 2 ? asking(store).unblock(budget) : asking(store).check(ask)),
    // A third of them ends the override. A store without overrides is compared without.
    (store) => overrides && asking(store).override(budget, own),
    (store) => back && asking(store).release(back.budget, back.held),
    (store) => back && asking(store).renew(back.budget, back.held),
  ];
  const which = draw(14);
  if (which >= calls.length && ask.lease !== undefined) {
    lent.push({ budget, held: { id: ask.lease.id, count: ask.count } });
  }
  return calls[which] ?? ((store) => asking(store).limit(counted));
}

/** Returns settings with a penalty. Stores without penalties are compared without. */
function samplePenalty(seed: number): LimitSettings {
  const penalty = { after: 1 + (seed % 3), within: 2000, block: 150, most: 500 };
  return { whenUnavailable: "closed", shards: 1, penalty };
}

/** Returns a random plan that can be put in place of another for a key. */
function sampleOverride(random: Random, plans: readonly Plan[], { kind, family }: Plan): Plan {
  const fitting = plans.filter(
    (one) => one.kind === kind || (one.kind === "token bucket" && family.name === "rates"),
  );
  return fitting[whole(random, { low: 0, high: fitting.length - 1 })] as Plan;
}

function askOf(budget: Budget, amount: { count: number; reserve: boolean }, id: number) {
  const { family, reservable } = budget.plan;
  const lease = family.name === "leases" ? { id, headroom: 0 } : undefined;
  return { ...budget, ...amount, reserve: amount.reserve && reservable, lease };
}
