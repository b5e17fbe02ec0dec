import type { Amount, Settlement } from "./amounts.ts";
import type { RateKind } from "./kinds.ts";
import type { Leases } from "./leases.ts";
import type { Kind } from "./limit.ts";
import type { Log } from "./log.ts";
import { type PenaltyRecord, penaltyBefore } from "./penalty.ts";

/**
 * A limit prepared for exact arithmetic, and nothing else. How a limit is kept is in
 * `LimitSettings`.
 *
 * The units that a key has used are counted in *ticks*, whole numbers below 2⁵². One unit is
 * `ticksPerUnit` ticks, and `refillPerMs` ticks come back each millisecond, where rate/period =
 * refillPerMs/ticksPerUnit in lowest terms. So no fraction is ever rounded, for any rate and
 * period, and doubles hold every number exactly.
 */
export type Plan = {
  /** The limit's name. */
  readonly limit: string;
  readonly kind: Kind;
  /** Units that come back in a period. For a concurrency limit: its capacity. */
  readonly rate: number;
  /** Milliseconds. For a concurrency limit: its `ttl`. */
  readonly period: number;
  /** The maximum number of units a key can hold. */
  readonly capacity: number;
  /**
   * The maximum number of units that can be taken ahead of time; `Infinity` if the limit names no
   * bound. See `reservableTicks`.
   */
  readonly maxReserved: number;
  /** An instant at which a window begins; undefined if each key has its own. */
  readonly start: number | undefined;
  /** Ticks in one unit. */
  readonly ticksPerUnit: number;
  /**
   * Ticks that come back each millisecond, for kinds that refill continuously; 0 for the others.
   */
  readonly refillPerMs: number;
  /** The capacity, in ticks. */
  readonly capacityTicks: number;
  /**
   * The maximum number of ticks that a key may owe. Units taken under other definitions of its
   * limit count as used up to this number.
   */
  readonly debtTicks: number;
  /**
   * The maximum number of ticks that can be taken ahead of time. Without `maxReserved`: as many as
   * start within `LONGEST_TIMER`.
   */
  readonly reservableTicks: number;
  /**
   * The amount that one unit adds to a state's numbers: its ticks, or 1 if the state counts units.
   */
  readonly countsPerUnit: number;
  /** The largest number of a state after a settlement, so that all waits stay exact. */
  readonly mostCounts: number;
  /** Whether units can be taken ahead of time at all. */
  readonly reservable: boolean;
  /** Whether an admitted call starts only after everything admitted before has come back. */
  readonly queues: boolean;
  /**
   * The maximum number of units that a reserving call can ever be granted. For other calls it is
   * the capacity.
   */
  readonly largestReserved: number;
  /**
   * The longest time for which units are lent to a process, in milliseconds; 0 if none are lent.
   */
  readonly share: number;
  /**
   * The unit of a state's instants: they differ by multiples of it. The period for windows, else 1
   * ms.
   */
  readonly windowAlignment: number;
  readonly algorithm: Algorithm;
  readonly family: KindFamily;
};

/** The content of a new state. */
export type InitialState = {
  /** Ticks already used: 0 for a fresh key. */
  readonly used: number;
  /** Used ticks that may still be settled. */
  readonly unsettled: number;
  /** An instant at which one of its windows begins. */
  readonly anchor: number;
};

/**
 * The arithmetic of one kind of limit, and nothing else: no clock, no store, no promise.
 *
 * Every function depends on its arguments alone. The argument that differs comes first, so that no
 * two numbers are neighbours: an object for them would be an allocation in each decision. `now` is
 * in milliseconds since 1970. A `now` before `state.since` counts as `state.since`, so time stands
 * still until the clock has caught up.
 */
export type Algorithm = {
  /**
   * The list in a state beside its numbers: admitted asks, leases in flight, or shares, which are
   * leases of units lent to processes. Most kinds have none.
   */
  readonly list?: "log" | "leases" | "shares";

  /** Brings a state to `now`: units that have come back by then are removed from its numbers. */
  advance(state: State, plan: Plan, now: number): void;

  /**
   * Returns the ticks used at `now`: 0 for a fresh key, more than `plan.capacityTicks` for one in
   * debt.
   */
  used(state: State, plan: Plan, now: number): number;

  /**
   * Returns the milliseconds from `now` until at most `atMost` ticks are used. More are used at
   * `now`.
   */
  waitFor(atMost: number, state: State, plan: Plan, now: number): number;

  /**
   * Returns the milliseconds from `now` until the state equals a fresh one, after `taken` more
   * ticks are used; 0 if it does already. For a concurrency limit this is an upper bound, because
   * leases may be released early.
   */
  resetAfter(taken: number, state: State, plan: Plan, now: number): number;
};

/** A number of units that come back, and the milliseconds that this takes. */
export type UnitsPerPeriod = { readonly rate: number; readonly period: number };

/** How a kind of rate counts. The fields are those of `Plan`. */
export type TickConversion = Pick<Plan, "ticksPerUnit" | "refillPerMs" | "countsPerUnit">;

/** The arithmetic of one kind of rate, whose units come back by themselves. */
export type RateAlgorithm = Algorithm & {
  /** Returns the units of its counts. */
  countsOf(pace: UnitsPerPeriod): TickConversion;
  /**
   * Whether its states record when units were taken, so that they can also be used for another
   * limit with the same period.
   */
  readonly history: boolean;
  /** Returns the maximum number of ticks for which all waits are exact. */
  mostTicks(pace: UnitsPerPeriod): number;
  /** Records when units were taken, for kinds with a log; a negative number removes them. */
  record?(state: State, units: number, now: number): void;
};

/** The plan of a rate. */
export type RatePlan = Plan & { readonly kind: RateKind; readonly algorithm: RateAlgorithm };

/** The arithmetic of a rate whose units can be lent to processes. */
export type LendingAlgorithm = RateAlgorithm & {
  readonly list: "shares";
  /** Returns the instant until which units lent at `now` may be listed. */
  lentUntil(state: State, plan: Plan, now: number): number;
};

/**
 * How units are taken and come back: those of rates by themselves, those of leases when they are
 * released.
 */
export type KindFamily = {
  readonly name: "rates" | "leases";

  /** Takes the units of an admitted call. */
  charge(state: State, plan: Plan, amount: Amount, now: number): void;

  /**
   * Replaces an estimate by the true number: up as far as arithmetic stays exact, down by what is
   * not settled yet.
   *
   * @returns The units that were used beyond the estimate.
   */
  settle(state: State, plan: Plan, settlement: Settlement, now: number): number;

  /** Resets a state. A block stays. */
  begin(state: State, plan: Plan, initial: InitialState, now: number): void;

  /** Whether a state written under another plan of its kind can be used unchanged. */
  keep(state: State, plan: Plan, from: Plan, now: number): boolean;
};

/** The state of a key under another definition of its limit that is also in use. */
export type OtherState = {
  /** Contains what the key has used. A block is kept in the main state. */
  readonly state: State;
  /**
   * The instant until which it is kept. By then everything its definition admitted has come back.
   */
  readonly until: number;
};

/**
 * The state of one key under one limit: six whole numbers, four more if the key was refused under a
 * limit with `penalty`, and a log or leases if the kind keeps them. All zeros is a fresh key.
 *
 * Amounts are in ticks or units (`countsPerUnit` of `Plan`), instants in milliseconds since 1970.
 */
export class State {
  /** Used and not come back at `since`. */
  used = 0;
  /** The instant that the state describes, or at which its window began. */
  since = 0;
  /** Used in the previous window, for kinds that need it. */
  previous = 0;
  /** Taken, not come back, and open to settlement; never above `used`. */
  unsettled = 0;
  /** The instant until which the key is blocked; 0 if it is not. */
  blockedUntil = 0;
  /**
   * The instant until which `plan` is an override: a definition of this key alone, in place of its
   * limit's; 0 if it is none.
   */
  overriddenUntil = 0;
  /** The refusals and penalties of the key that still count; undefined if there were none. */
  penalty: PenaltyRecord | undefined = undefined;
  /** The plan under which the state was written; undefined if there is no state. */
  plan: Plan | undefined = undefined;
  /** The log of admitted asks, for the kind that keeps one. */
  log: Log | undefined = undefined;
  /**
   * The leases in flight of a concurrency limit. For rates with `share`: the shares that are lent.
   */
  leases: Leases | undefined = undefined;
  /** The states of the same key under other definitions of its limit, while several are in use. */
  others: readonly OtherState[] | undefined = undefined;

  /** Sets the numbers that change when units are taken or come back. */
  write({ used, since, previous, unsettled }: StateNumbers): void {
    this.used = used;
    this.since = since;
    this.previous = previous;
    this.unsettled = unsettled;
  }

  /** Returns an independent copy, without other definitions. */
  copy(): State {
    const copy = new State();
    copy.write(this);
    copy.blockedUntil = this.blockedUntil;
    copy.overriddenUntil = this.overriddenUntil;
    copy.penalty = this.penalty;
    copy.plan = this.plan;
    copy.log = this.log?.copy();
    copy.leases = this.leases?.copy();
    return copy;
  }

  /** Takes over another state's content, with its lists. Block, override and penalties stay. */
  become(other: State): void {
    this.write(other);
    this.plan = other.plan;
    this.log = other.log;
    this.leases = other.leases;
  }

  /** Clears the state, as if the key had none. */
  clear(): void {
    this.become(NONE);
    this.blockedUntil = 0;
    this.overriddenUntil = 0;
    this.penalty = undefined;
    this.others = undefined;
  }

  /**
   * Moves every instant back, for a clock that stepped back. An override ends when its end was
   * announced.
   */
  rewind(ms: number): void {
    this.since -= ms;
    this.blockedUntil = Math.max(0, this.blockedUntil - ms);
    if (this.penalty !== undefined) this.penalty = penaltyBefore(this.penalty, ms);
    this.log?.rewind(ms);
    this.leases?.rewind(ms);
  }
}

type StateNumbers = Readonly<Pick<State, "used" | "since" | "previous" | "unsettled">>;

const NONE: State = /* @__PURE__ */ new State();
