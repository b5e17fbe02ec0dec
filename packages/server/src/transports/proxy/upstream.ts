/** A server behind the proxy: its connections, its requests in flight, and how it has fared. */
import { elapsed } from "spillway/support";
import { Pool } from "undici";

/** Times in milliseconds. */
export type UpstreamTimes = {
  /** How long connecting may take. */
  readonly connect: number;
  /** How long an upstream may take until its response begins. */
  readonly headers: number;
  /** How long either side may send nothing in the middle of a body. */
  readonly idle: number;
};

/** How many failures in a row make an upstream one to avoid. */
const MOST_FAILURES = 3;
/** How long it is avoided at first, and at most, in milliseconds; doubled each time. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

type UpstreamOptions = { readonly times: UpstreamTimes; readonly connections: number };

export class Upstream {
  readonly origin: string;
  readonly pool: Pool;
  /** The number of requests that it has not answered yet. */
  inFlight = 0;
  #failures = 0;
  #pause = FIRST_PAUSE;
  #avoidedUntil = Number.NEGATIVE_INFINITY;

  constructor(origin: string, { times, connections }: UpstreamOptions) {
    this.origin = origin;
    this.pool = new Pool(origin, {
      connections,
      // A second request on a connection would wait for the first response.
      pipelining: 1,
      connect: { timeout: times.connect },
      headersTimeout: times.headers,
      bodyTimeout: times.idle,
    });
  }

  /** Whether it is to be avoided while there are others. */
  get isAvoided(): boolean {
    return elapsed() < this.#avoidedUntil;
  }

  /** Called when a response has begun. */
  succeeded(): void {
    this.#failures = 0;
    this.#pause = FIRST_PAUSE;
  }

  /** Called when it could not be reached, or broke off before its response. */
  failed(): void {
    if (++this.#failures < MOST_FAILURES) return;
    this.#avoidedUntil = elapsed() + this.#pause;
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }
}
