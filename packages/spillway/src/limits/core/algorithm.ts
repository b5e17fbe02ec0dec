import type { Amount, Settlement } from "./amounts.ts";
import type { RateKind } from "./kinds.ts";
import type { Leases } from "./leases.ts";
import type { Kind } from "./limit.ts";
import type { Log } from "./log.ts";

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
 * Every function depends on its arguments alone. What is asked comes first, so that no two numbers
 * are neighbours: an object for them would be made anew in each decision. `now` is in milliseconds
 * since 1970; a `now` before `state.since` counts as `state.since` (time stands still until the
 * clock is there again).
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
  waitFor(atMost: number, state: State, plan: Plan, now: number): number;

  /**
   * Milliseconds from `now` until the state equals a fresh one, once `taken` more ticks are used; 0 if
   * it does. Of a concurrency limit, at most: a lease that is given back early is not known to have
   * been the last.
   */
  resetAfter(taken: number, state: State, plan: Plan, now: number): number;
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

/** The state of a key under a definition of its limit that others ask under as well. */
export type OtherState = {
  /** Says what the key has used; a block is kept in the state that this one is beside. */
  readonly state: State;
  /** The instant until which it is kept: by then nothing is left of what its definition admitted. */
  readonly until: number;
};

/**
 * What is known of one key under one limit: five whole numbers, and a log or leases where the kind
 * keeps them. All zeros is a fresh key.
 *
 * Amounts are in ticks or units (`countsPerUnit` of `Plan`), instants in milliseconds since 1970.
 */
export class State {
  /** What was used and had not come back at `since`. */
  used = 0;
  /** The instant the state was written for, or at which its window began. */
  since = 0;
  /** What the window before used, for kinds that remember it. */
  previous = 0;
  /** What was taken, has not come back, and may still be settled; never above `used`. */
  unsettled = 0;
  /** The instant until which the key is blocked; 0 if it is not. */
  blockedUntil = 0;
  /** The plan the state was written under; undefined where there is no state. */
  plan: Plan | undefined = undefined;
  /** The log of admitted asks, for the kind that keeps one. */
  log: Log | undefined = undefined;
  /** The leases in flight, for limits of those; for rates that are lent, the shares that are out. */
  leases: Leases | undefined = undefined;
  /** The same key under other definitions of its limit, while several are in use. */
  others: readonly OtherState[] | undefined = undefined;

  /** Writes what changes when units are taken or come back. */
  write({ used, since, previous, unsettled }: Numbers): void {
    this.used = used;
    this.since = since;
    this.previous = previous;
    this.unsettled = unsettled;
  }

  /** A state of its own that says the same; other definitions are left out. */
  copy(): State {
    const copy = new State();
    copy.write(this);
    copy.blockedUntil = this.blockedUntil;
    copy.plan = this.plan;
    copy.log = this.log?.copy();
    copy.leases = this.leases?.copy();
    return copy;
  }

  /** Says what another state says, whose log and leases it takes; the block stays its own. */
  become(other: State): void {
    this.write(other);
    this.plan = other.plan;
    this.log = other.log;
    this.leases = other.leases;
  }

  /** Becomes no state at all. */
  clear(): void {
    this.become(NONE);
    this.blockedUntil = 0;
    this.others = undefined;
  }

  /** Moves every instant back, for a clock that went back. */
  rewind(ms: number): void {
    this.since -= ms;
    this.blockedUntil = Math.max(0, this.blockedUntil - ms);
    this.log?.rewind(ms);
    this.leases?.rewind(ms);
  }
}

type Numbers = Readonly<Pick<State, "used" | "since" | "previous" | "unsettled">>;

const NONE: State = new State();
