/**
 * Computes what is left between two answers of the server, by the limit's own arithmetic.
 *
 * Instants are in milliseconds since the answer.
 */
import { charge, decide, valueAt } from "../../limits/algorithms/index.ts";
import { type Reason, SECOND } from "../../limits/core/index.ts";
import { type ResumedState, resumed, type ValueSnapshot } from "./snapshot.ts";

/** The values of a limit that a page shows. Times are in milliseconds from now. */
export type LimitView = {
  /**
   * `loading` until the first answer; `failed` if the last request failed. Then the numbers are
   * older.
   */
  readonly status: "loading" | "ready" | "failed";
  /** Whether the wanted units are left. True while nothing is known, because the server decides. */
  readonly ok: boolean;
  /** The limit's name; undefined while nothing is known. */
  readonly limit: string | undefined;
  readonly capacity: number | undefined;
  /** Whole units left. */
  readonly remaining: number | undefined;
  /** The time until `ok` is true: 0 if it is, `Infinity` if waiting does not help. */
  readonly retryAfter: number;
  /** The time until the budget is full again. */
  readonly resetAfter: number;
  readonly reason: Reason | undefined;
};

/** The values known between two answers. */
export type LimitViewValues = Omit<LimitView, "status"> & { readonly remaining: number };

/**
 * The shortest time between two redraws, in milliseconds. A fast limit would otherwise change all
 * the time.
 */
const LEAST_STEP = 100;

/** Computes what is left from one answer of the server. */
export class ValueCounter {
  readonly #snapshot: ValueSnapshot;
  readonly #resumed: ResumedState | undefined;

  /** @throws SpillwayError or TypeError if the snapshot does not come from this library */
  constructor(snapshot: ValueSnapshot) {
    this.#snapshot = snapshot;
    this.#resumed = resumed(snapshot);
  }

  get limit(): string {
    return this.#snapshot.limit;
  }

  /** Returns what is left at an instant, for a caller that wants `count` units. */
  at(now: number, count: number): LimitViewValues {
    return this.#resumed === undefined
      ? present(now, this.#snapshot, count)
      : exact(now, this.#resumed, count);
  }

  /** Takes the units that the page's own requests are known to have used. */
  take(now: number, units: number): void {
    if (this.#resumed === undefined || units <= 0) return;
    const { state, plan } = this.#resumed;
    charge(state, plan, { count: units, reserve: false }, now);
  }

  /**
   * Returns the milliseconds until a shown value changes; undefined if it never does. `counts` are
   * the wanted units.
   */
  nextChange(now: number, counts: Iterable<number>): number | undefined {
    const { remaining, capacity = 0 } = this.at(now, 1);
    const waits = [...counts].map((count) => this.at(now, count).retryAfter);
    // While a caller waits, its page counts down the seconds.
    const seconds = waits.filter((wait) => wait > 0).map((wait) => ((wait - 1) % SECOND) + 1);
    if (remaining < capacity) seconds.push(this.at(now, remaining + 1).retryAfter);
    const next = Math.min(...seconds.filter(Number.isFinite));
    return next === Number.POSITIVE_INFINITY ? undefined : Math.max(LEAST_STEP, next);
  }
}

function exact(now: number, { state, plan }: ResumedState, count: number): LimitViewValues {
  const { limit, capacity, remaining, resetAfter, blockedFor } = valueAt(state, plan, now);
  const { ok, retryAfter, reason } = decide(state, plan, { count, reserve: false }, now);
  const left = blockedFor > 0 ? 0 : remaining;
  // In a leaky bucket even an admitted request waits. It counts as admitted all the same.
  return {
    ok,
    limit,
    capacity,
    remaining: left,
    retryAfter: ok ? 0 : retryAfter,
    resetAfter,
    reason,
  };
}

/**
 * Used if only the present numbers are known. Used units then come back when the budget is full.
 */
function present(now: number, snapshot: ValueSnapshot, count: number): LimitViewValues {
  const { limit, capacity } = snapshot;
  const resetAfter = Math.max(0, snapshot.resetAfter - now);
  const blockedFor = Math.max(0, snapshot.blockedFor - now);
  const left = resetAfter === 0 ? capacity : snapshot.remaining;
  const fits = left >= Math.max(1, count);
  const ok = fits && blockedFor === 0;
  const fitsAfter = count > capacity ? Number.POSITIVE_INFINITY : resetAfter;
  return {
    ok,
    limit,
    capacity,
    remaining: blockedFor > 0 ? 0 : left,
    retryAfter: Math.max(blockedFor, fits ? 0 : fitsAfter),
    resetAfter,
    reason: ok
      ? undefined
      : whyNot({
          isBlocked: blockedFor > 0,
          isPenalized: snapshot.penalized === true,
          isTooLarge: count > capacity,
        }),
  };
}

type RefusalState = {
  readonly isBlocked: boolean;
  readonly isPenalized: boolean;
  readonly isTooLarge: boolean;
};

function whyNot({ isBlocked, isPenalized, isTooLarge }: RefusalState): Reason {
  if (isBlocked) return isPenalized ? "penalized" : "blocked";
  return isTooLarge ? "too large" : "limited";
}
