/** All upstreams: chooses the one with the least in flight, and bounds retries. */
import { RetryBudget } from "spillway/client";
import { elapsed } from "spillway/support";
import { upstreamError } from "./refused.ts";
import { Upstream, type UpstreamTimes } from "./upstream.ts";

export type UpstreamsOptions = {
  /** The origins, such as `http://127.0.0.1:3000`. */
  readonly to: readonly string[];
  readonly times: UpstreamTimes;
  /** The most requests in flight to one upstream, each with a connection of its own. */
  readonly connections: number;
};

/** Retries for each request, and those that are always allowed in ten seconds. */
const BUDGET = { ratio: 0.2, least: 10 };

export class Upstreams {
  readonly #all: readonly Upstream[];
  readonly #connections: number;
  readonly #budget = new RetryBudget(BUDGET, elapsed());
  #next = 0;

  constructor({ to, ...options }: UpstreamsOptions) {
    this.#connections = options.connections;
    this.#all = to.map((origin) => new Upstream(origin, options));
  }

  /**
   * Returns the upstream with the least in flight: of several, each in turn. Those that fail are
   * avoided while another has room. `not` has just failed.
   *
   * @throws RequestError `upstream-full`
   */
  choose(not?: Upstream): Upstream {
    const start = this.#next++ % this.#all.length;
    let best: Upstream | undefined;
    for (let step = 0; step < this.#all.length; step++) {
      const one = this.#all[(start + step) % this.#all.length] as Upstream;
      if (one.inFlight >= this.#connections) continue;
      if (best === undefined || this.#rank(one, not) < this.#rank(best, not)) best = one;
    }
    if (best === undefined) throw upstreamError("upstream-full");
    return best;
  }

  /** Called for each request that is sent for the first time. */
  requested(): void {
    this.#budget.requested(elapsed());
  }

  /** Takes a retry; false if there were too many. */
  mayRetry(): boolean {
    return this.#budget.take(elapsed());
  }

  /** Closes all connections, once their requests have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ pool }) => pool.destroy()));
  }

  #rank(one: Upstream, not: Upstream | undefined): number {
    const isWorse = one === not || (this.#all.length > 1 && one.isAvoided);
    return one.inFlight + (isWorse ? this.#connections : 0);
  }
}
