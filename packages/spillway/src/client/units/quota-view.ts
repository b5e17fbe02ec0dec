/**
 * One way in which a server may count: the instant that its report describes, and whether it counts
 * the estimate or the real use.
 */
import type { Quota } from "../../http/advice/index.ts";
import { type ErrorBounds, type PredictionMark, QuotaTracker } from "./quota-tracker.ts";
import type { RefillRate } from "./refill.ts";

/** When a request was sent, and when its answer was received. */
export type AnswerTimes = { readonly sent: number; readonly received: number };

export type CountingPolicy = {
  /** Whether the units that a request really used are finally counted, and not the estimate. */
  readonly isSettled: boolean;
  /**
   * Whether an answer reports what was left when the request arrived, and not when the answer was
   * made.
   */
  readonly isOfStart: boolean;
};

export const COUNTINGS: readonly CountingPolicy[] = [false, true].flatMap((isSettled) =>
  [true, false].map((isOfStart) => ({ isSettled, isOfStart })),
);

/**
 * The longest time that a request is assumed to take to reach the server, in milliseconds. The
 * shortest time of an answer is used if it is less.
 */
const LONGEST_TRAVEL_MS = 250;

/**
 * The prediction of one quota by one way of counting. Instants are milliseconds of a monotonic
 * clock.
 */
export class QuotaView {
  readonly isSettled: boolean;
  readonly #isOfStart: boolean;
  readonly #refill: RefillRate;
  readonly track: QuotaTracker;
  /** The instant at which the whole quota is back; undefined if there is none. */
  #end: number | undefined;
  /** The shortest time that an answer took, in milliseconds; at most `LONGEST_TRAVEL_MS`. */
  #quickest = LONGEST_TRAVEL_MS;

  constructor(counting: CountingPolicy, refill: RefillRate, left: number, heard: AnswerTimes) {
    this.isSettled = counting.isSettled;
    this.#isOfStart = counting.isOfStart;
    this.#refill = refill;
    this.track = new QuotaTracker(left, heard.received);
  }

  /**
   * The instant at which the whole quota is back; undefined if there is none, or if it is not
   * known.
   */
  get end(): number | undefined {
    return this.#refill.isRolling ? undefined : this.#end;
  }

  /** Advances the prediction to `now`. Returns true if the whole quota has come back. */
  pass(now: number): boolean {
    const { rate, capacity, period } = this.#refill;
    this.track.pass(now, { rate, capacity });
    const { end } = this;
    if (end === undefined || now < end) return false;
    this.track.fill(now, capacity);
    this.#end = period && end + (Math.floor((now - end) / period) + 1) * period;
    return true;
  }

  /**
   * Corrects the prediction by an answer, which reports what is left.
   *
   * @param mark The prediction when its request was sent; undefined if the present one is to be
   * corrected.
   */
  heard(
    { remaining, resetAfter }: Quota,
    { sent, received }: AnswerTimes,
    { mark, ...doubt }: ErrorBounds & { readonly mark: PredictionMark | undefined },
  ): void {
    this.#quickest = Math.min(this.#quickest, received - sent);
    const end = (this.#isOfStart ? sent + this.#quickest : received) + (resetAfter ?? 0);
    // An answer about the previous period does not describe this one.
    if (this.#refill.period !== undefined && end <= received && resetAfter !== 0) return;
    if (resetAfter !== undefined) this.#end = end;
    const { rate } = this.#refill;
    const at = (this.#isOfStart ? mark : undefined) ?? this.track.mark;
    this.track.correct(remaining, at, { ...doubt, most: rate });
  }
}
