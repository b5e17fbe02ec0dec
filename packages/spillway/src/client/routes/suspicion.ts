/**
 * Decides whether only one route of a host fails or is limited, and not the whole host.
 *
 * If the host were at fault, unserved requests would hit each route in proportion to its requests.
 * Each further unserved request in a row on the same route makes that less likely: the probability
 * is multiplied by this route's part of all requests. The host must also have served requests of
 * other routes meanwhile.
 */

/**
 * The result of a request that was not served. `at` is when it was sent; `part` is the route's part
 * of all requests, 0 to 1.
 */
export type RouteAnswer = {
  readonly route: string;
  readonly at: number;
  readonly isRefusal: boolean;
  readonly part: number;
};

/** The minimum number of requests to other routes that must be served in between. */
const OTHERS = 3;
/**
 * The minimum number of failures in a row. A wrong decision at this point costs no more than a
 * probe.
 */
const FAILURES = 2;
/**
 * Below this probability the host is not at fault. It is low, because sending to other routes
 * ignores the wait that the host has named. It is even lower if several routes were refused before,
 * because among thousands of refusals, several in a row on one route also occur by chance.
 */
const HARDLY = 0.01;
const NEVER = 1e-5;
/**
 * A refusal slows the whole host down if it is the host's with at least this probability. Otherwise
 * the next refusal decides.
 */
const LIKELY = 0.75;
/** A failure counts against the host, unless it is the host's with less than this probability. */
const UNLIKELY = 0.1;

export class Suspicion {
  #route: string | undefined;
  #since = 0;
  #count = 0;
  #others = 0;
  /**
   * The probability that all these unserved requests would hit this route if the host were at
   * fault.
   */
  #chance = 1;
  #isRefusal = false;
  /** The route that was refused last; and whether more than one route has been refused. */
  #refused: string | undefined;
  #isHost = false;

  /** Records that a request to a route was served. `at` is the instant at which it was sent. */
  served(route: string, at: number): void {
    if (route !== this.#route && at >= this.#since) this.#others++;
  }

  /** Records a request that was not served. Returns true if only its route is at fault. */
  notServed({ route, at, isRefusal, part }: RouteAnswer): boolean {
    if (this.isNew({ route, isRefusal })) this.#begin({ route, at, isRefusal });
    this.#count++;
    this.#chance *= part;
    if (this.#others < OTHERS) return false;
    if (!isRefusal && this.#count >= FAILURES) return true;
    return this.#chance < (this.#isHost ? NEVER : HARDLY);
  }

  /** The route of the latest request that was not served; undefined if all were. */
  get route(): string | undefined {
    return this.#route;
  }

  /** Whether results of other routes would decide now. */
  get isOpen(): boolean {
    return this.#count >= FAILURES && this.#others < OTHERS;
  }

  /**
   * Returns whether the latest result already counts against the host. Until then only one route
   * may fail or be limited.
   */
  isOfHost(isRefusal: boolean): boolean {
    if (isRefusal) return this.#isHost || this.#chance >= LIKELY;
    // A first failure is not evidence against one route.
    return this.#count < FAILURES || this.#chance >= UNLIKELY;
  }

  /**
   * Returns whether a request that was not served begins a new row. Failures and refusals form
   * separate rows.
   */
  isNew({ route, isRefusal }: Pick<RouteAnswer, "route" | "isRefusal">): boolean {
    return route !== this.#route || isRefusal !== this.#isRefusal;
  }

  #begin({ route, at, isRefusal }: Omit<RouteAnswer, "part">): void {
    if (isRefusal) {
      this.#isHost ||= this.#refused !== undefined && this.#refused !== route;
      this.#refused = route;
    }
    this.#route = route;
    this.#isRefusal = isRefusal;
    this.#since = at;
    this.#count = 0;
    this.#others = 0;
    this.#chance = 1;
  }
}
