/** One quota of a host, in units such as tokens, of which a request may use any number. */
import type { Quota } from "../../http/advice/index.ts";
import { QuotaFraction } from "./quota-fraction.ts";
import type { PredictionMark } from "./quota-tracker.ts";
import { type AnswerTimes, COUNTINGS, QuotaView } from "./quota-view.ts";
import { RefillRate } from "./refill.ts";
import { isPlenty, paceOf, type QuotaState, spareFor, untilMore } from "./spending.ts";

/** The units of a request that were counted when it was sent. */
export type ChargedUnits = {
  readonly count: number;
  /** The predictions of what was left then, by each way of counting. */
  readonly marks: readonly PredictionMark[];
  readonly used: ReturnType<QuotaFraction["use"]>;
  /** The requests sent together with it, and the units of these up to and including it. */
  readonly burst: Burst;
  readonly order: number;
};

/**
 * Requests that are sent at nearly the same time, and may arrive in any order. `units` is their
 * sum.
 */
type Burst = { readonly at: number; units: number };

/** The input for computing a wait. */
export type WaitQuery = {
  readonly now: number;
  /** Units of the next request. */
  readonly count: number;
  /** Units that are needed soon: by the requests that wait, and by those that are expected. */
  readonly wanted: number;
};

/** The request of an answer, as far as it is known. */
export type RequestUnits = {
  /** The units counted when it was sent; undefined if none were. */
  readonly charged: ChargedUnits | undefined;
  /** Units that are counted here, but perhaps not yet by the server. */
  readonly open: number;
};

export type SettledUnits = {
  readonly count: number;
  readonly used: number;
  /** Whether it is certain that the server counts the same. */
  readonly isCertain: boolean;
};

/**
 * A way of counting is considered right if its error is at most this many times the smallest error.
 */
const ERROR_FACTOR = 1.5;
/**
 * Milliseconds by which timers may be late. Units not used because of late timers may be used
 * later.
 */
const LATE_MS = 20;
/** The number of answers over which their time is averaged. */
const LAG_SAMPLES = 10;
/** Milliseconds within which one request may overtake another. */
const BURST_MS = 50;

/**
 * One quota in such units. Instants are milliseconds of a monotonic clock; rates are in units a
 * millisecond.
 */
export class Allowance {
  readonly name: string;
  readonly unit: string;
  readonly #refill = new RefillRate();
  readonly #part = new QuotaFraction();
  readonly #views: readonly QuotaView[];
  /** Units that were used ahead of the allowed rate; below 0 if timers were late. */
  #owed = 0;
  #at: number;
  #burst: Burst = { at: Number.NEGATIVE_INFINITY, units: 0 };
  /** When the last request was sent. */
  #last: number;
  /**
   * The average milliseconds from the sending of a request until its answer reports what is left.
   */
  #lag: number;

  /**
   * @param spent Units that were used here before the quota was known, and that the report may not
   * include yet.
   */
  constructor(quota: Quota, heard: AnswerTimes, spent: number) {
    this.name = quota.name;
    this.unit = quota.unit;
    this.#refill.learn(quota);
    const left = quota.remaining - spent;
    this.#views = COUNTINGS.map((each) => new QuotaView(each, this.#refill, left, heard));
    for (const view of this.#views)
      view.heard({ ...quota, remaining: left }, heard, { mark: undefined, above: 0, below: 0 });
    this.#at = heard.received;
    this.#last = heard.received;
    this.#lag = heard.received - heard.sent;
  }

  /**
   * Returns the milliseconds until a request of `count` units may be sent; 0 if it may be sent now.
   */
  wait({ now, count, wanted }: WaitQuery): number {
    this.#pass(now);
    const state = this.#stateAt(now);
    const spare = spareFor(state, count);
    if (spare < 0) return untilMore(state, -spare);
    return isPlenty(state, { spare, wanted }) ? 0 : Math.max(0, this.#owed / paceOf(state));
  }

  /** Records that a request is sent. Returns what its answer and its settlement need later. */
  use(now: number, count: number): ChargedUnits {
    this.#pass(now);
    this.#owed = Math.min(0, this.#owed) + count;
    this.#last = now;
    for (const { track } of this.#views) track.use(count);
    return this.charged(now, count);
  }

  /**
   * Returns the same for a request that was sent before the quota was known. Deducts nothing from
   * what is left.
   */
  charged(now: number, count: number): ChargedUnits {
    return {
      count,
      marks: this.#views.map(({ track }) => track.mark),
      used: this.#part.use(count),
      ...this.#join(now, count),
    };
  }

  #join(now: number, count: number): Pick<ChargedUnits, "burst" | "order"> {
    if (now > this.#burst.at + BURST_MS) this.#burst = { at: now, units: 0 };
    const burst = this.#burst;
    burst.units += count;
    return { burst, order: burst.units };
  }

  /** Records an answer, which reports what is left. */
  heard(quota: Quota, heard: AnswerTimes, { charged, open }: RequestUnits): void {
    this.#pass(heard.received);
    this.#refill.learn(quota);
    this.#lag += (heard.received - heard.sent - this.#lag) / LAG_SAMPLES;
    const { count, order, burst } = charged ?? { count: 0, order: 0, burst: { units: 0 } };
    const doubt = { above: open + order - count, below: burst.units - order };
    for (const [index, view] of this.#views.entries())
      view.heard(quota, heard, { mark: charged?.marks[index], ...doubt });
    const { capacity } = this.#refill;
    if (charged !== undefined)
      this.#part.heard(charged.used, { used: capacity - quota.remaining, capacity });
  }

  /** Replaces the units that were charged by those really used: 0 if the request was refused. */
  settle(now: number, { count, used, isCertain }: SettledUnits): void {
    this.#pass(now);
    for (const { track, isSettled } of this.#views)
      if (isSettled || isCertain) track.use(used - count);
    if (isCertain) this.#part.use(used - count);
  }

  /** The way of counting that was right recently; if several were, the one with the least left. */
  get #view(): QuotaView {
    const least = Math.min(...this.#views.map(({ track }) => track.error));
    const right = this.#views.filter(({ track }) => track.error <= ERROR_FACTOR * least);
    return right.reduce((one, other) => (other.track.left < one.track.left ? other : one));
  }

  #stateAt(now: number): QuotaState {
    const { part } = this.#part;
    const [lag, lastSent] = [this.#lag, this.#last];
    return { now, refill: this.#refill, view: this.#view, part, lag, lastSent };
  }

  #pass(now: number): void {
    const state = this.#stateAt(now);
    const pace = paceOf(state);
    if (pace === Number.POSITIVE_INFINITY) this.#owed = Math.min(0, this.#owed);
    else this.#owed = Math.max(-LATE_MS * pace, this.#owed - pace * Math.max(0, now - this.#at));
    this.#at = Math.max(now, this.#at);
    for (const each of this.#views) if (each.pass(now) && each === state.view) this.#part.again();
  }
}
