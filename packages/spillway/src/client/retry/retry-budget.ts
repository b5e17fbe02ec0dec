import { SECOND } from "../../limits/core/index.ts";
import { RecentCount } from "../pace/recent-count.ts";

/** How many requests may be sent again, of all. */
export type RetryBudgetSettings = {
  /** For each request so many: 0 to 10. */
  readonly ratio: number;
  /** And so many in ten seconds, however few requests there are: 0 to 10 000. */
  readonly least: number;
};

const SPAN = 10 * SECOND;

/**
 * Bounds what is sent again by what is sent for the first time, over all requests of a client.
 *
 * Attempts that are bounded for each request alone multiply the load of a server that fails by their
 * number; with a budget of 0.2 it is 1.2 times that load, whatever happens. What the last ten seconds
 * had is forgotten exponentially.
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

  /** A request is sent for the first time. */
  requested(now: number): void {
    this.#requests.add(now);
  }

  /** Takes a retry out of the budget; false where there is none left. */
  take(now: number): boolean {
    const { ratio, least } = this.#settings;
    const most = least + ratio * this.#requests.count(now);
    if (this.#retries.count(now) + 1 > most) return false;
    this.#retries.add(now);
    return true;
  }
}
