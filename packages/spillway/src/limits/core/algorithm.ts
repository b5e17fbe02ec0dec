import type { RateKind } from "./kinds.ts";
import type { Kind } from "./limit.ts";
import type { State } from "./state.ts";

/**
 * A limit made ready for exact arithmetic, and nothing else: how it is kept is in `LimitSettings`.
 *
 * What a key has used is counted in *ticks*, whole numbers below 2⁵²: one unit is `ticksPerUnit`
 * ticks, and `refillPerMs` ticks come back each millisecond, where rate/period =
 * refillPerMs/ticksPerUnit in lowest terms. So no fraction is ever rounded, for any rate and period,
 * and doubles carry every number exactly.
 */
export type Plan = {
  /** The limit's name. */
  readonly limit: string;
  readonly kind: Kind;
  /** Units that come back in a period; for a concurrency limit its capacity. */
  readonly rate: number;
  /** Milliseconds; for a concurrency limit its `ttl`. */
  readonly period: number;
  /** The most units a key can hold. */
  readonly capacity: number;
  /** The most units that can be taken ahead of time; `Infinity` where the limit names none: see `reservableTicks`. */
  readonly maxReserved: number;
  /** An instant at which a window begins; undefined where each key has its own. */
  readonly start: number | undefined;
  /** Ticks in one unit. */
  readonly ticksPerUnit: number;
  /** Ticks that come back in a millisecond, for kinds that drip; 0 for the others. */
  readonly refillPerMs: number;
  /** The capacity, in ticks. */
  readonly capacityTicks: number;
  /** The most ticks that a key may owe: what other definitions of its limit have taken counts as far as this. */
  readonly debtTicks: number;
  /** The most ticks that can be taken ahead of time: without `maxReserved`, as many as start within `LONGEST_TIMER`. */
  readonly reservableTicks: number;
  /** What one unit adds to the numbers of a state: its ticks, or 1 where those are units. */
  readonly countsPerUnit: number;
  /** The most that settling may bring the numbers of a state to, so that all waits stay exact. */
  readonly mostCounts: number;
  /** Whether units can be taken ahead of time at all. */
  readonly reservable: boolean;
  /** Whether what is admitted starts when all that was admitted before has come back. */
  readonly queues: boolean;
  /** The most units that a call which reserves can ever be granted; for others it is the capacity. */
  readonly largestReserved: number;
  /** The longest time for which units are lent to a process, in milliseconds; 0 where none are. */
  readonly share: number;
  /** Moments of a state are apart by multiples of this: the period for windows, else 1 ms. */
  readonly windowAlignment: number;
  readonly algorithm: Algorithm;
  readonly family: Family;
};

/** How much of a budget is asked for. */
export type Amount = {
  /** Units to take: a whole number. 0 takes nothing and asks whether one unit is left. */
  readonly count: number;
  /** Take ahead of time what is not there yet, and start when it is. */
  readonly reserve: boolean;
  /** The lease that is to hold the units; for a concurrency limit, and only there. */
  readonly lease?: LeaseAsk | undefined;
};

/** A lease that is asked for. */
export type LeaseAsk = {
  /** Distinguishes it from all other leases of the key: a whole number from 0 to 2⁵³ − 1. */
  readonly id: number;
  /** Units that have to be left when it is taken, for asks that matter more. */
  readonly headroom: number;
};

/** A lease that was taken. */
export type LeaseRef = {
  readonly id: number;
  /** The units that it holds. */
  readonly count: number;
};

/** Units of a rate that are lent to a process, as its holder knows them. */
export type ShareRef = {
  /** Distinguishes it from all other shares of the key: a whole number from 1 to 2⁵³ − 1. */
  readonly id: number;
  /** Units that the holder has not used. */
  readonly units: number;
};

/** What the holder of shares of a key says with a call, and what it wants to be lent. */
export type Draw = {
  /** What the new share is to be called: drawn by the holder, so that it can give back one whose answer was lost. */
  readonly id: number;
  /** Units to lend: a whole number; 0 only reports. */
  readonly want: number;
  /** Shares that the holder goes on holding, and what it has not used of each; at most `MOST_SHARES`. */
  readonly left: readonly ShareRef[];
  /** Shares that it holds no longer, and what it has not used of each: that comes back. At most `MOST_SHARES`. */
  readonly back: readonly ShareRef[];
};

/** What was lent. */
export type Lent = {
  /** Units that were lent: as many as were wanted, or fewer, or 0. */
  readonly units: number;
  /**
   * Milliseconds from the store's instant for which the store keeps them listed: the holder stops before, counted
   * from when it sent the draw. 0 where nothing was lent.
   */
  readonly lasts: number;
  /** The ids of those in `left` with units that the store does not list: what it has lost, or what is over. */
  readonly unlisted: readonly number[];
};

/** An estimate that was taken, and the true number that replaces it; both in whole units. */
export type Settlement = {
  readonly reserved: number;
  readonly used: number;
};

/** How a state begins. */
export type InitialState = {
  /** Ticks already used: 0 for a fresh key. */
  readonly used: number;
  /** How many of those may still be settled. */
  readonly unsettled: number;
  /** An instant at which one of its windows begins. */
  readonly anchor: number;
};

/**
 * The arithmetic of one kind of limit, and nothing else: no clock, no store, no promise.
 *
 * Every function depends on its arguments alone. `now` is in milliseconds since 1970; a `now` before
 * `state.since` counts as `state.since` (time stands still until the clock is there again).
 */
export type Algorithm = {
  /**
   * What a state keeps one by one beside its numbers: admitted asks, leases in flight, or shares, which
   * are leases of units that are lent to processes; often nothing.
   */
  readonly list?: "log" | "leases" | "shares";

  /** Brings a state to `now`: what has come back until then is not in its numbers any more. */
  advance(state: State, plan: Plan, now: number): void;

  /** Ticks used at `now`: 0 for a fresh key, more than `plan.capacityTicks` for one in debt. */
  used(state: State, plan: Plan, now: number): number;

  /** Milliseconds from `now` until at most so many ticks are used, where more are used at `now`. */
  waitFor(state: State, plan: Plan, atMost: number, now: number): number;

  /**
   * Milliseconds from `now` until the state equals a fresh one, once `taken` more ticks are used; 0 if
   * it does. Of a concurrency limit, at most: a lease that is given back early is not known to have
   * been the last.
   */
  resetAfter(state: State, plan: Plan, taken: number, now: number): number;
};

/** How many units come back, and in how many milliseconds. */
export type Pace = { readonly rate: number; readonly period: number };

/** How a kind of rate counts; what each means is at the fields of `Plan`. */
export type Counts = Pick<Plan, "ticksPerUnit" | "refillPerMs" | "countsPerUnit">;

/** The arithmetic of one kind of rate: units come back by themselves. */
export type RateAlgorithm = Algorithm & {
  /** What it counts in. */
  countsOf(pace: Pace): Counts;
  /** Whether its states say when units were taken, and so serve another limit of the same period. */
  readonly history: boolean;
  /** The most ticks of which all waits are exact. */
  mostTicks(pace: Pace): number;
  /** Notes when units were taken, for kinds that keep a log; below 0, takes them off it. */
  record?(state: State, units: number, now: number): void;
};

/** The plan of a rate. */
export type RatePlan = Plan & { readonly kind: RateKind; readonly algorithm: RateAlgorithm };

/** The arithmetic of a rate whose units can be lent to processes. */
export type LendingAlgorithm = RateAlgorithm & {
  readonly list: "shares";
  /** The instant until which units that are lent at `now` may be listed. */
  lentUntil(state: State, plan: Plan, now: number): number;
};

/** How units are taken and come back: rates by themselves, leases when they are given back. */
export type Family = {
  readonly name: "rates" | "leases";

  /** Takes what was admitted. */
  charge(state: State, plan: Plan, amount: Amount, now: number): void;

  /**
   * Replaces an estimate by the true number: up to what is exact, down by what is not settled yet.
   *
   * @returns The units that were used beyond the estimate.
   */
  settle(state: State, plan: Plan, settlement: Settlement, now: number): number;

  /** Begins a state anew. A block stays. */
  begin(state: State, plan: Plan, initial: InitialState, now: number): void;

  /** Whether a state that was written under another plan of its kind serves this one as it is. */
  keep(state: State, plan: Plan, from: Plan, now: number): boolean;
};
