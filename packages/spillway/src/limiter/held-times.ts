import { RecentMap } from "../internal/index.ts";
import type { Ask, Budget, Decision } from "../limits/core/index.ts";

/** Leases of which the mean is taken, the newest weighing most once there are more. */
const LATELY = 32;
/** Limits to keep a mean of: names that come with a call may be any number. */
const MOST_LIMITS = 1000;

/** The estimate while no lease has been given back, in milliseconds: a `ttl` is far longer than most work takes. */
const UNKNOWN = 1000;

/** The mean of how long leases were held, in milliseconds, and of how many. */
type Mean = { ms: number; leases: number };

/**
 * How long leases were held lately in this process, for each concurrency limit.
 *
 * A store only knows when leases expire. How soon they are given back is known to whoever has held
 * some: the mean of the first 32, and then a moving one, to which each further lease adds 1/32.
 */
export class HeldTimes {
  /** Those noted least recently are the first. */
  readonly #means = new RecentMap<string, Mean>(MOST_LIMITS);
  /** The limit noted last, and its mean: at hand, for the next is often of the same. */
  #lastLimit: string | undefined;
  #lastMean: Mean = { ms: 0, leases: 0 };

  /** A lease was given back, after so many milliseconds. */
  note({ plan: { limit } }: Budget, ms: number): void {
    const mean = limit === this.#lastLimit ? this.#lastMean : this.#meanOf(limit);
    mean.leases = Math.min(LATELY, mean.leases + 1);
    mean.ms += (ms - mean.ms) / mean.leases;
  }

  #meanOf(limit: string): Mean {
    const mean = this.#means.get(limit) ?? { ms: 0, leases: 0 };
    this.#means.set(limit, mean);
    [this.#lastLimit, this.#lastMean] = [limit, mean];
    return mean;
  }

  /** The same decision, with an estimate where that can be made; itself where not. */
  estimate(ask: Ask, decision: Decision): Decision {
    const estimatedRetryAfter = this.#estimateOf(ask, decision);
    return estimatedRetryAfter === undefined ? decision : { ...decision, estimatedRetryAfter };
  }

  /**
   * In a steady state, units in flight end one after the other, evenly: all of them within the time
   * for which one is held, and so many of them in that part of it.
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
