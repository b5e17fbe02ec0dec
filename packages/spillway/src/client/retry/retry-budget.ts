import { SECOND } from "../../limits/core/index.ts";
import { RecentCount } from "../pace/recent-count.ts";

/** The bounds on requests that are sent again, over all requests of a client. */
export type RetryBudgetSettings = {
  /** The number of retries for each request: 0 to 10. */
  readonly ratio: number;
  /**
   * The number of retries in ten seconds that are always allowed, even with few requests: 0 to 10
   * 000.
   */
  readonly least: number;
};

const SPAN = 10 * SECOND;

/**
 * Bounds retries by the number of first attempts, over all requests of a client.
 *
 * If attempts are bounded only for each request, they multiply the load of a failing server by
 * their number. With a `ratio` of 0.2 the load is at most 1.2 times the normal one, plus `least`.
 * The past decays exponentially, with a time constant of ten seconds.
 */
export class RetryBudget {
  readonly #settings: RetryBudgetSettings;
  readonly #requests: RecentCount;
  readonly #retries: RecentCount;

  constructor(settings: RetryBudgetSettings, now: number) {
    this.#settings = settings;
    this.#requests = new RecentCount(now, SPAN);
    this.#retries = new RecentCount(now, SPAN);
  }

  /** Records that a request is sent for the first time. */
  requested(now: number): void {
    this.#requests.add(now);
  }

  /** Takes a retry from the budget. Returns false if none is left. */
  take(now: number): boolean {
    const { ratio, least } = this.#settings;
    const most = least + ratio * this.#requests.count(now);
    if (this.#retries.count(now) + 1 > most) return false;
    this.#retries.add(now);
    return true;
  }
}
