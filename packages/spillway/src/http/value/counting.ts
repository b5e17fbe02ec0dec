/** What is left between two answers, by the limit's own arithmetic. Instants: milliseconds since the answer. */
import { charge, decide, valueAt } from "../../limits/algorithms/index.ts";
import { type Reason, SECOND } from "../../limits/core/index.ts";
import { type Resumed, resumed, type ValueSnapshot } from "./snapshot.ts";

/** What a page shows of a limit. Times are milliseconds from now. */
export type LimitView = {
  /** `loading` until the first answer; `failed` where the last one was none: the numbers are older then. */
  readonly status: "loading" | "ready" | "failed";
  /** Whether as many units are left as are asked for. While nothing is known, true: the server decides. */
  readonly ok: boolean;
  /** The limit's name; undefined while nothing is known. */
  readonly limit: string | undefined;
  readonly capacity: number | undefined;
  /** Whole units left. */
  readonly remaining: number | undefined;
  /** Until `ok` is true; 0 where it is, `Infinity` where no wait helps. */
  readonly retryAfter: number;
  /** Until the budget is full again. */
  readonly resetAfter: number;
  readonly reason: Reason | undefined;
};

/** What is known between two answers. */
export type Known = Omit<LimitView, "status"> & { readonly remaining: number };

/** The most often that a page is drawn anew: a limit of thousands a second comes back all the time. */
const LEAST_STEP = 100;

/** Counts on from one answer. */
export class Counting {
  readonly #snapshot: ValueSnapshot;
  readonly #resumed: Resumed | undefined;

  /** @throws SpillwayError, TypeError where it was not sent by a server of ours */
  constructor(snapshot: ValueSnapshot) {
    this.#snapshot = snapshot;
    this.#resumed = resumed(snapshot);
  }

  get limit(): string {
    return this.#snapshot.limit;
  }

  /** What is left at an instant, for somebody who wants so many units. */
  at(now: number, count: number): Known {
    return this.#resumed === undefined
      ? present(now, this.#snapshot, count)
      : exact(now, this.#resumed, count);
  }

  /** Takes what an own request is known to have taken. */
  take(now: number, units: number): void {
    if (this.#resumed === undefined || units <= 0) return;
    const { state, plan } = this.#resumed;
    charge(state, plan, { count: units, reserve: false }, now);
  }

  /** After how long something changes that a page shows; undefined: never. */
  nextChange(now: number, counts: Iterable<number>): number | undefined {
    const { remaining, capacity = 0 } = this.at(now, 1);
    const waits = [...counts].map((count) => this.at(now, count).retryAfter);
    // Who waits sees the seconds go by.
    const seconds = waits.filter((wait) => wait > 0).map((wait) => ((wait - 1) % SECOND) + 1);
    if (remaining < capacity) seconds.push(this.at(now, remaining + 1).retryAfter);
    const next = Math.min(...seconds.filter(Number.isFinite));
    return next === Number.POSITIVE_INFINITY ? undefined : Math.max(LEAST_STEP, next);
  }
}

function exact(now: number, { state, plan }: Resumed, count: number): Known {
  const { limit, capacity, remaining, resetAfter, blockedFor } = valueAt(state, plan, now);
  const { ok, retryAfter, reason } = decide(state, plan, { count, reserve: false }, now);
  const left = blockedFor > 0 ? 0 : remaining;
  // Of a leaky bucket an admission waits as well: it is admitted all the same.
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

/** Where only the present is known: what was used comes back at last when all of it has. */
function present(now: number, snapshot: ValueSnapshot, count: number): Known {
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
    reason: ok ? undefined : whyNot({ isBlocked: blockedFor > 0, isTooLarge: count > capacity }),
  };
}

type Why = { readonly isBlocked: boolean; readonly isTooLarge: boolean };

function whyNot({ isBlocked, isTooLarge }: Why): Reason {
  if (isBlocked) return "blocked";
  return isTooLarge ? "too large" : "limited";
}
