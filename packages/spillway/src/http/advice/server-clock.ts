/**
 * The clock of a server that names instants and does not say what time it is: browsers show pages of other origins no
 * `Date`, and own clocks may be wrong by minutes.
 *
 * Two things bound it. An answer names a reset that is still to come: by the server's clock it is earlier than that. And
 * once more is left and another reset is named, it is as late as the one before. As long as the own clock fits, it is
 * taken to be right.
 */
import { SECOND } from "../../limits/core/index.ts";
import { AnswerHeaders, type ReadableHeaders } from "./answer-headers.ts";

/** When a request was sent and answered, by the own clock. */
export type Span = { readonly sent: number; readonly received: number };

/** Of a window: when it ends by the server's clock, how much is left of it, and of how much. */
type Seen = { readonly end: number; readonly left: number; readonly capacity: number | undefined };

/** Instants are said in whole seconds, rounded up or down. */
const ROUNDING = SECOND;
/** Clocks that differ by less are the same. */
const SAME = 2 * SECOND;
/** All of a window has come back where so much of the most that was ever left is. */
const NEARLY_ALL = 0.9;
/** So often may what is known contradict itself, as where a clock is set; then it is not believed any more. */
const MOST_CONTRADICTIONS = 3;
const FIRST_EPOCH = 1e9;
const LAST_EPOCH = 1e11;

const FORMS = ["ratelimit", "x-ratelimit", "x-rate-limit"] as const;

export class ServerClock {
  /** By how many milliseconds it is ahead of the own clock, at least and at most. */
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #seen: Seen | undefined;
  /** The most that was ever left. */
  #full = 0;
  #contradictions = 0;

  /** By how many milliseconds it is ahead of the own clock; 0 where that may be right. */
  get ahead(): number {
    const isRight = this.#least <= SAME && this.#most >= -SAME;
    if (isRight || this.#contradictions > MOST_CONTRADICTIONS) return 0;
    return this.#least === Number.NEGATIVE_INFINITY ? this.#most : this.#least;
  }

  /** An answer has come. Never throws. */
  heard(headers: ReadableHeaders, { sent, received }: Span): void {
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

  #isBack(last: Seen, { left, capacity }: Seen): boolean {
    return capacity === last.capacity && left > last.left && left >= NEARLY_ALL * this.#full;
  }

  #bound({ least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }): void {
    this.#least = Math.max(this.#least, least);
    this.#most = Math.min(this.#most, most);
    if (this.#least <= this.#most) return;
    // A clock was set, or these were resets of several windows: what was said last is all that is known.
    this.#contradictions++;
    this.#least = least;
    this.#most = most;
  }
}

/** Undefined where no instant is named, or the answer is a cache's. */
function seenIn(answer: AnswerHeaders): Seen | undefined {
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
