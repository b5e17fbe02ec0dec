/** Random limits, calls and pauses. The same random numbers give the same results. */
import {
  type Kind,
  type Limit,
  RATE_KINDS,
  type Random,
  type Rate,
  type RateKind,
  SECOND,
} from "../limits/core/index.ts";

const KINDS = Object.keys(RATE_KINDS) as RateKind[];

/** Returns a random whole number from `low` to `high`, both included. */
export function whole(random: Random, { low, high }: { low: number; high: number }): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Returns a rate of a random kind, small enough that calls reach its bounds. */
export function sampleLimit(random: Random): Rate {
  const kind = KINDS[whole(random, { low: 0, high: KINDS.length - 1 })];
  return sampleRateOf(random, kind as RateKind);
}

/** Returns a random limit of a given kind, small enough that calls reach its bounds. */
export function sampleLimitOf(random: Random, kind: Kind): Limit {
  if (kind !== "concurrency") return sampleRateOf(random, kind);
  const capacity = whole(random, { low: 1, high: 6 });
  return { kind, capacity, ttl: whole(random, { low: 1, high: 3 * SECOND }) };
}

function sampleRateOf(random: Random, kind: RateKind): Rate {
  const rate = whole(random, { low: 1, high: 12 });
  const period = whole(random, { low: 1, high: 3 * SECOND });
  if (!RATE_KINDS[kind].holds) return { kind, rate, period };
  const capacity = whole(random, { low: 1, high: 20 });
  return random() < 0.5
    ? { kind, rate, period, capacity }
    : { kind, rate, period, capacity, maxReserved: whole(random, { low: 0, high: 20 }) };
}

/** Returns a random amount. Its count may be 0 or above the capacity, and it may reserve. */
export function sampleAsk(
  random: Random,
  { kind }: Pick<Limit, "kind">,
): { count: number; reserve: boolean } {
  const count = whole(random, { low: 0, high: random() < 0.2 ? 25 : 4 });
  const canReserve = kind === "concurrency" || RATE_KINDS[kind].holds;
  return { count, reserve: random() < 0.3 && canReserve };
}

/** Returns the milliseconds until the next call: often 0, sometimes more than a period. */
export function samplePause(random: Random, { period }: Rate): number {
  const longest = random() < 0.1 ? 3 * Number(period) : Number(period) / 4;
  return random() < 0.3 ? 0 : whole(random, { low: 0, high: Math.ceil(longest) });
}

/** Returns how far a clock goes back, in milliseconds: at most four times the longest period. */
export function sampleFarBack(random: Random, periods: readonly number[]): number {
  return whole(random, { low: 0, high: 4 * Math.max(...periods) });
}

/** Returns how far a clock goes back, in milliseconds: less than the shortest period. */
export function sampleStepBack(random: Random, limits: { readonly [name: string]: Rate }): number {
  const periods = Object.values(limits).map(({ period }) => Number(period));
  return whole(random, { low: 0, high: Math.min(...periods) - 1 });
}
