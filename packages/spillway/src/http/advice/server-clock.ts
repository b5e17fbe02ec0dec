/**
 * Estimates the clock of a server that sends instants, but no readable `Date`.
 *
 * Browsers hide `Date` from pages of other origins, and the local clock may be wrong by minutes.
 * Responses bound the server's clock in two ways. A reset in a response is still to come, so the
 * server's clock is earlier. Once a later reset is reported and more is left, the server's clock
 * has passed the earlier reset. As long as the local clock fits both bounds, it counts as correct.
 */
import { SECOND } from "../../limits/core/index.ts";
import { AnswerHeaders, type ReadableHeaders } from "./answer-headers.ts";

/**
 * When a request was sent and when its response was received, by the local clock, in milliseconds.
 */
export type RequestTimes = { readonly sent: number; readonly received: number };

/** A window: when it ends by the server's clock, how much is left of it, and its capacity. */
type ObservedWindow = {
  readonly end: number;
  readonly left: number;
  readonly capacity: number | undefined;
};

/** The rounding of instants, which servers send in whole seconds, rounded up or down. */
const ROUNDING = SECOND;
/** Clocks that differ by less count as equal. */
const SAME = 2 * SECOND;
/** A whole window has come back if at least this fraction of the maximum ever left is left. */
const NEARLY_ALL = 0.9;
/**
 * The maximum number of contradictions, which occur when a clock is set. After more of them, the
 * estimate is no longer used.
 */
const MOST_CONTRADICTIONS = 3;
const FIRST_EPOCH = 1e9;
const LAST_EPOCH = 1e11;

const FORMS = ["ratelimit", "x-ratelimit", "x-rate-limit"] as const;

export class ServerClock {
  /**
   * The minimum and maximum difference by which the server's clock is ahead of the local clock, in
   * milliseconds.
   */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #seen: ObservedWindow | undefined;
  /** The maximum number of units that were ever left. */
  #full = 0;
  #contradictions = 0;

  /**
   * By how many milliseconds the server's clock is ahead of the local clock.
   *
   * 0 if the local clock may be right, or after too many contradictions.
   */
  get ahead(): number {
    const isRight = this.#least <= SAME && this.#most >= -SAME;
    if (isRight || this.#contradictions > MOST_CONTRADICTIONS) return 0;
    return this.#least === Number.NEGATIVE_INFINITY ? this.#most : this.#least;
  }

  /** Updates the estimate from a response. Never throws. */
  heard(headers: ReadableHeaders, { sent, received }: RequestTimes): void {
    const seen = seenIn(new AnswerHeaders(headers));
    if (seen === undefined) return;
    const last = this.#seen;
    this.#full = Math.max(this.#full, seen.left);
    const isLater = last === undefined || seen.end > last.end;
    if (last !== undefined && isLater && this.#isBack(last, seen))
      this.#bound({ least: last.end - ROUNDING - received });
    if (isLater || seen.end === last.end) this.#seen = seen;
    this.#bound({ most: seen.end + ROUNDING - sent });
  }

  #isBack(last: ObservedWindow, { left, capacity }: ObservedWindow): boolean {
    return capacity === last.capacity && left > last.left && left >= NEARLY_ALL * this.#full;
  }

  #bound({ least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }): void {
    this.#least = Math.max(this.#least, least);
    this.#most = Math.min(this.#most, most);
    if (this.#least <= this.#most) return;
    // A clock was set, or the resets belong to several windows. Only the last report is kept.
    this.#contradictions++;
    this.#least = least;
    this.#most = most;
  }
}

/** Returns the window of a response; undefined if it contains no instant or comes from a cache. */
function seenIn(answer: AnswerHeaders): ObservedWindow | undefined {
  if (Number(answer.text("age") ?? 0) > 0) return undefined;
  for (const form of FORMS) {
    const end = Number(answer.text(`${form}-reset`) ?? Number.NaN);
    const left = Number(answer.text(`${form}-remaining`) ?? Number.NaN);
    const isInstant = end >= FIRST_EPOCH && end < LAST_EPOCH;
    if (!isInstant || !(left >= 0)) continue;
    const [limit] = answer.members(`${form}-limit`);
    const capacity = typeof limit?.value === "number" ? limit.value : undefined;
    return { end: end * SECOND, left, capacity };
  }
  return undefined;
}
