import type { Ask, Budget, Decision } from "../limits/core/index.ts";
import { RecentMap } from "./recent-map.ts";

/** The number of leases in the mean. Beyond it, newer leases weigh more. */
const AVERAGED_LEASES = 32;
/** The maximum number of limits with a mean: calls may bring any number of names. */
const MOST_LIMITS = 1000;

/**
 * The estimate before any lease was released, in milliseconds. Most work takes far less than its
 * `ttl`.
 */
const UNKNOWN = 1000;

/** The mean time for which leases were held, in milliseconds, and their number. */
type Mean = { ms: number; leases: number };

/**
 * How long leases were recently held in this process, for each concurrency limit.
 *
 * A store only knows when leases expire. How soon they are released is known to the processes that
 * hold them. The mean is of the first 32 leases, and then moves: each further lease has a weight of
 * 1/32.
 */
export class HeldTimes {
  /** The means by limit, the least recently updated first. */
  readonly #means = new RecentMap<string, Mean>(MOST_LIMITS);
  /** The limit last recorded, and its mean. The next lease is often of the same limit. */
  #lastLimit: string | undefined;
  #lastMean: Mean = { ms: 0, leases: 0 };

  /** Records that a lease was released after `ms` milliseconds. */
  note({ plan: { limit } }: Budget, ms: number): void {
    const mean = limit === this.#lastLimit ? this.#lastMean : this.#meanOf(limit);
    mean.leases = Math.min(AVERAGED_LEASES, mean.leases + 1);
    mean.ms += (ms - mean.ms) / mean.leases;
  }

  #meanOf(limit: string): Mean {
    const mean = this.#means.get(limit) ?? { ms: 0, leases: 0 };
    this.#means.set(limit, mean);
    [this.#lastLimit, this.#lastMean] = [limit, mean];
    return mean;
  }

  /**
   * Returns a decision with an estimate of the wait, if there can be one; else the decision itself.
   */
  estimate(ask: Ask, decision: Decision): Decision {
    const estimatedRetryAfter = this.#estimateOf(ask, decision);
    return estimatedRetryAfter === undefined ? decision : { ...decision, estimatedRetryAfter };
  }

  /**
   * Estimates the wait for missing units, in milliseconds; undefined if the decision needs no
   * estimate.
   *
   * In a steady state, all units in flight end evenly within the mean time for which one is held.
   * So the wait is that time, multiplied by the missing units and divided by the units in flight.
   */
  #estimateOf({ plan, count, lease }: Ask, decision: Decision): number | undefined {
    const { ok, reason, capacity, remaining, retryAfter } = decision;
    if (ok || reason !== "limited" || plan.family.name !== "leases") return undefined;
    const missing = Math.max(1, count) + (lease?.headroom ?? 0) - remaining;
    if (missing <= 0) return undefined;
    const mean = this.#means.get(plan.limit);
    if (mean === undefined) return Math.min(retryAfter, UNKNOWN);
    const wait = Math.ceil((mean.ms * missing) / (capacity - remaining));
    return Math.min(retryAfter, Math.max(1, wait));
  }
}
