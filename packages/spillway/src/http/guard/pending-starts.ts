/**
 * Tracks requests whose start the store has not answered yet. A check does not include them,
 * although they start first.
 */
import { isPromised, type MaybePromise } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import { type Decision, isConcurrency, milliseconds, RATE_KINDS } from "../../limits/core/index.ts";
import type { RouteAsk } from "./route-asks.ts";

/**
 * The units that requests of one route are about to take: by budget, in the order of the requests.
 */
export class PendingStarts {
  readonly #limiter: AnyLimiter;
  readonly #pending = new Map<string, Set<RouteAsk>>();

  constructor(limiter: AnyLimiter) {
    this.#limiter = limiter;
  }

  /** Counts asks as pending until their answer or failure arrives. */
  during<T>(asks: readonly RouteAsk[], take: () => MaybePromise<T>): MaybePromise<T> {
    for (const ask of asks) this.#enter(ask);
    const leave = () => {
      for (const ask of asks) this.#leave(ask);
    };
    let isLater = false;
    try {
      const taken = take();
      isLater = isPromised(taken);
      return isPromised(taken) ? taken.finally(leave) : taken;
    } finally {
      if (!isLater) leave();
    }
  }

  /**
   * Returns how long earlier pending requests may delay a checked start, in milliseconds: 0 or
   * more.
   *
   * This is an upper bound: the checked start may already include some of those requests.
   */
  delay(ask: RouteAsk, { remaining }: Decision): number {
    const limit = ask.config ?? this.#limiter.limits[ask.limit];
    if (limit === undefined || isConcurrency(limit)) return 0;
    const { queues, windows } = RATE_KINDS[limit.kind];
    const ahead = this.#unitsBefore(ask);
    const missing = queues ? ahead : Math.max(0, ahead - remaining);
    const periods = missing / limit.rate;
    return Math.ceil((windows ? Math.ceil(periods) : periods) * (milliseconds(limit.period) ?? 0));
  }

  #enter(ask: RouteAsk): void {
    const budget = budgetName(ask);
    const pending = this.#pending.get(budget);
    if (pending === undefined) this.#pending.set(budget, new Set([ask]));
    else pending.add(ask);
  }

  #leave(ask: RouteAsk): void {
    const budget = budgetName(ask);
    const pending = this.#pending.get(budget);
    pending?.delete(ask);
    if (pending?.size === 0) this.#pending.delete(budget);
  }

  #unitsBefore(ask: RouteAsk): number {
    let units = 0;
    for (const other of this.#pending.get(budgetName(ask)) ?? []) {
      if (other === ask) break;
      units += other.count;
    }
    return units;
  }
}

function budgetName({ limit, key }: RouteAsk): string {
  return JSON.stringify([limit, key]);
}
