/** One way in which a server may count what is left: at which instant it does, and what it counts in the end. */
import type { Quota } from "../../http/advice/index.ts";
import { type ErrorBounds, QuotaTracker, type TrackMark } from "./quota-tracker.ts";
import type { RefillRate } from "./refill.ts";

/** When a request was sent, and when its answer was there. */
export type AnswerTimes = { readonly sent: number; readonly received: number };

export type CountingPolicy = {
  /** Whether what a request has used in the end is counted, and not what was estimated. */
  readonly isSettled: boolean;
  /** Whether an answer says what was left when its request came, and not when the answer was made. */
  readonly isOfStart: boolean;
};

export const COUNTINGS: readonly CountingPolicy[] = [false, true].flatMap((isSettled) =>
  [true, false].map((isOfStart) => ({ isSettled, isOfStart })),
);

/** A request is at the server some milliseconds after it was sent: as long as its answer takes, or so long at most. */
const LONGEST_TRAVEL_MS = 250;

/** Milliseconds of a clock that never steps. */
export class QuotaView {
  readonly isSettled: boolean;
  readonly #isOfStart: boolean;
  readonly #refill: RefillRate;
  readonly track: QuotaTracker;
  /** When all of it is back at once; undefined where there is no such instant. */
  #end: number | undefined;
  /** The least time that an answer took. */
  #quickest = LONGEST_TRAVEL_MS;

  constructor(counting: CountingPolicy, refill: RefillRate, left: number, heard: AnswerTimes) {
    this.isSettled = counting.isSettled;
    this.#isOfStart = counting.isOfStart;
    this.#refill = refill;
    this.track = new QuotaTracker(left, heard.received);
  }

  /** When all of it is back at once; undefined where there is no such instant, or where it is not known. */
  get end(): number | undefined {
    return this.#refill.isRolling ? undefined : this.#end;
  }

  /** Time goes by; true where all of it came back. */
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
   * An answer says what is left.
   *
   * @param mark Of when its request was sent; undefined where that says nothing.
   */
  heard(
    { remaining, resetAfter }: Quota,
    { sent, received }: AnswerTimes,
    { mark, ...doubt }: ErrorBounds & { readonly mark: TrackMark | undefined },
  ): void {
    this.#quickest = Math.min(this.#quickest, received - sent);
    const end = (this.#isOfStart ? sent + this.#quickest : received) + (resetAfter ?? 0);
    // An answer of the time before says nothing of this one.
    if (this.#refill.period !== undefined && end <= received && resetAfter !== 0) return;
    if (resetAfter !== undefined) this.#end = end;
    const { rate } = this.#refill;
    const at = (this.#isOfStart ? mark : undefined) ?? this.track.mark;
    this.track.correct(remaining, at, { ...doubt, most: rate });
  }
}
