/** One quota of a host, in units of which a request may use any number: what is left, and owed. */
import type { Quota } from "../../http/advice/index.ts";
import { QuotaFraction } from "./quota-fraction.ts";
import type { TrackMark } from "./quota-tracker.ts";
import { type AnswerTimes, COUNTINGS, QuotaView } from "./quota-view.ts";
import { RefillRate } from "./refill.ts";
import { isPlenty, paceOf, type QuotaState, spareFor, untilMore } from "./spending.ts";

/** A request's units that were counted when it was sent. */
export type ChargedUnits = {
  readonly count: number;
  /** What was left then, by each way of counting. */
  readonly marks: readonly TrackMark[];
  readonly used: ReturnType<QuotaFraction["use"]>;
  /** What was sent together with it, and how much of that before it, itself included. */
  readonly burst: Burst;
  readonly order: number;
};

/** Requests that are sent at nearly the same time come in any order. */
type Burst = { readonly at: number; units: number };

/** What is known when a wait is asked for. */
export type WaitQuery = {
  readonly now: number;
  /** Units of the request that is next. */
  readonly count: number;
  /** Units that are wanted soon: of all that wait, and of what comes. */
  readonly wanted: number;
};

/** What is known of an answer's request. */
export type RequestUnits = {
  /** What was counted when it was sent; undefined where nothing was. */
  readonly charged: ChargedUnits | undefined;
  /** Units that are counted here, and may not be counted there yet. */
  readonly open: number;
};

export type SettledUnits = {
  readonly count: number;
  readonly used: number;
  /** Whether the server certainly counts so as well. */
  readonly isCertain: boolean;
};

/** A way of counting is taken to be right where the others are so many times as wrong. */
const ERROR_FACTOR = 1.5;
/** Timers are late by some milliseconds; what was missed by them is made up for. */
const LATE_MS = 20;
/** Answers over which it is counted how long they take. */
const LAG_SAMPLES = 10;
/** Milliseconds in which one request may overtake another. */
const BURST_MS = 50;

/** Milliseconds of a clock that never steps. */
export class Allowance {
  readonly name: string;
  readonly unit: string;
  readonly #refill = new RefillRate();
  readonly #part = new QuotaFraction();
  readonly #views: readonly QuotaView[];
  /** Units that were used faster than they are to be; below 0 where timers were late. */
  #owed = 0;
  #at: number;
  #burst: Burst = { at: Number.NEGATIVE_INFINITY, units: 0 };
  /** When the last request was sent. */
  #last: number;
  /** Milliseconds from when a request is sent until its answer says what is left, lately. */
  #lag: number;

  /** @param spent Units that were used here before anything was known of it, and may not be missing there yet. */
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

  /** Milliseconds until a request may be sent that uses so much. */
  wait({ now, count, wanted }: WaitQuery): number {
    this.#pass(now);
    const state = this.#stateAt(now);
    const spare = spareFor(state, count);
    if (spare < 0) return untilMore(state, -spare);
    return isPlenty(state, { spare, wanted }) ? 0 : Math.max(0, this.#owed / paceOf(state));
  }

  /** A request is sent; what is to be known of it later. */
  use(now: number, count: number): ChargedUnits {
    this.#pass(now);
    this.#owed = Math.min(0, this.#owed) + count;
    this.#last = now;
    for (const { track } of this.#views) track.use(count);
    return this.charged(now, count);
  }

  /** The same of one that was sent before anything was known of the quota. */
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

  /** Its answer says what is left. */
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

  /** What was used is known; or it was refused, and nothing was. */
  settle(now: number, { count, used, isCertain }: SettledUnits): void {
    this.#pass(now);
    for (const { track, isSettled } of this.#views)
      if (isSettled || isCertain) track.use(used - count);
    if (isCertain) this.#part.use(used - count);
  }

  /** The way of counting that was right lately; of several, the one with the least left. */
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
