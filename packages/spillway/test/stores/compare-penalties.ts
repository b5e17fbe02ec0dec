/** Random calls of programs with different penalties and definitions: answers as in memory. */
import { expect } from "vitest";
import { planFor } from "../../src/limits/algorithms/index.ts";
import type {
  Ask,
  Command,
  Limit,
  LimitSettings,
  PenaltySettings,
  Plan,
  Random,
  Store,
  Timing,
} from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { type ManualClock, seededRandom } from "../../src/testing/index.ts";

const key = "k";

/** Two definitions of each limit. The periods are shorter than penalties, and some much longer. */
const LIMITS: readonly (readonly [string, Limit, Limit])[] = [
  [
    "bucket",
    { kind: "token bucket", rate: 3, period: 700 },
    { kind: "token bucket", rate: 5, period: 900 },
  ],
  [
    "window",
    { kind: "fixed window", rate: 3, period: 800 },
    { kind: "sliding window", rate: 4, period: 650 },
  ],
  [
    "log",
    { kind: "sliding log", rate: 300, period: 20_000 },
    { kind: "sliding log", rate: 200, period: 15_000 },
  ],
];
const PENALTIES: readonly (PenaltySettings | undefined)[] = [
  { after: 1, within: 400, block: 100, most: 700 },
  { after: 3, within: 1500, block: 150, most: 500 },
  undefined,
];
const PLANS = LIMITS.map(([name, ...limits]) => limits.map((limit) => planFor(name, limit)));

/** Returns an ask of a random program under one of the limits. */
function sampleAsk(random: Random, plan: Plan): Ask {
  const below = (most: number) => Math.floor(random() * most);
  const penalty = PENALTIES[below(PENALTIES.length)];
  const settings: LimitSettings = { whenUnavailable: "closed", shards: 1, penalty };
  const isLarge = plan.capacity > 100 && below(2) === 0;
  return { plan, key, count: below(isLarge ? 250 : 4), reserve: below(5) === 0, settings };
}

/** Returns a random command, of which only an override has a request of its own. */
function sample(random: Random, plans: readonly Plan[]): Command {
  const below = (most: number) => Math.floor(random() * most);
  const ask = sampleAsk(random, plans[below(plans.length)] as Plan);
  const budgets = [ask] as const;
  const calls: readonly Command[] = [
    { verb: "check", budgets },
    { verb: "value", budgets },
    { verb: "settle", budgets, settlement: { reserved: ask.count, used: below(4) } },
    { verb: "reset", budgets },
    { verb: "block", budgets, ms: 1 + below(300) },
    { verb: "unblock", budgets },
    { verb: "limit", budgets: plans.map((plan) => sampleAsk(random, plan)) },
  ];
  return calls[below(30)] ?? { verb: "limit", budgets };
}

/** Returns the commands of a turn, in which each limit has one definition. */
function sampleTurn(random: Random, overrides: boolean): readonly Command[] {
  const below = (most: number) => Math.floor(random() * most);
  const plans = PLANS.map((all) => all[below(4) === 0 ? 1 : 0] as Plan);
  if (!overrides || below(10) > 0) {
    return Array.from({ length: 1 + below(6) }, () => sample(random, plans));
  }
  const limit = below(plans.length);
  const plan = PLANS[limit]?.[below(2)] as Plan;
  const budgets = [{ plan: plans[limit] as Plan, key }] as const;
  return [{ verb: "override", budgets, plan, ms: below(3) * 400 }];
}

/** Returns the parts of all records that still count. */
async function recordsOf(store: Store<Timing>): Promise<unknown> {
  const budgets = PLANS.map(([plan]) => ({ plan: plan as Plan, key }));
  const snapshots = await store.execute({ verb: "peek", budgets, units: 1 });
  return snapshots.map(({ state: { penalty }, now }) => {
    const { refusals = 0, until: over = 0, level = 0, forgottenAt = 0 } = penalty ?? {};
    return [over > now && [refusals, over - now], forgottenAt > now && [level, forgottenAt - now]];
  });
}

/** Sends many calls of one turn of the event loop, which share requests, many times. */
export async function comparePenalties(
  far: Store<"later">,
  { clock, seed }: { readonly clock: ManualClock; readonly seed: number },
): Promise<void> {
  const random = seededRandom(seed);
  const near = memoryStore({ clock });
  // If the clock goes back, an override that has ended may still be known to one store alone.
  const overrides = seed % 2 === 0;
  for (let step = 0; step < 100; step++) {
    const commands = sampleTurn(random, overrides);
    const answers = await Promise.all(commands.map((command) => far.execute(command)));
    const expected = commands.map((command) => near.execute(command));
    const where = `step ${step}, ${JSON.stringify(commands)}`;
    expect(answers, where).toEqual(expected);
    expect(await recordsOf(far), where).toEqual(await recordsOf(near));
    clock.advance(random() < 0.3 ? 0 : Math.floor(random() * 300));
    // By less than a period: further back, one store may have forgotten what the other has not.
    if (!overrides && step % 30 === 29) clock.advance(-Math.floor(random() * 600));
  }
}
