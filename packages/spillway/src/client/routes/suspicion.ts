/**
 * Whether it is one route of a host that fails, or is limited, and not the host.
 *
 * Where it were the host, what is not served would hit routes as often as they are asked. So each answer in a row
 * that hits the same route makes that less likely, by the part that this route has of all requests; and the host has
 * served others meanwhile.
 */

/** What came of a request: how it ended, of which route, when it was sent, and that route's part of all, 0 to 1. */
export type RouteAnswer = {
  readonly route: string;
  readonly at: number;
  readonly isRefusal: boolean;
  readonly part: number;
};

/** Requests to others that are served meanwhile, at least. */
const OTHERS = 3;
/** Failures in a row, at least: to hold back one route for them costs no more than a probe. */
const FAILURES = 2;
/**
 * A host that names a time is disobeyed by sending to its other routes: no more likely to be wrong than this. Where
 * several routes were refused already, rows of one route come by chance as well, of thousands of refusals.
 */
const HARDLY = 0.01;
const NEVER = 1e-5;
/** A refusal slows down a host where it is so likely that it is the host's; else it waits for the next one. */
const LIKELY = 0.75;
/** A failure counts against a host unless it is less likely than this. */
const UNLIKELY = 0.1;

export class Suspicion {
  #route: string | undefined;
  #since = 0;
  #count = 0;
  #others = 0;
  /** How likely it is that all of them hit that route, were they the host's. */
  #chance = 1;
  #isRefusal = false;
  /** The route that was refused last, and whether another one was before. */
  #refused: string | undefined;
  #isHost = false;

  /** A request to a route was served. */
  served(route: string, at: number): void {
    if (route !== this.#route && at >= this.#since) this.#others++;
  }

  /** One was not; true where it is its route alone. */
  notServed({ route, at, isRefusal, part }: RouteAnswer): boolean {
    if (this.isNew({ route, isRefusal })) this.#begin({ route, at, isRefusal });
    this.#count++;
    this.#chance *= part;
    if (this.#others < OTHERS) return false;
    if (!isRefusal && this.#count >= FAILURES) return true;
    return this.#chance < (this.#isHost ? NEVER : HARDLY);
  }

  /** The route of which the last one was not served. */
  get route(): string | undefined {
    return this.#route;
  }

  /** Whether what others are answered now would decide it. */
  get isOpen(): boolean {
    return this.#count >= FAILURES && this.#others < OTHERS;
  }

  /** Whether the last one says anything of the host yet: it may be one of its routes alone that fails or is limited. */
  isOfHost(isRefusal: boolean): boolean {
    if (isRefusal) return this.#isHost || this.#chance >= LIKELY;
    // Whichever route is the first of a row is no evidence.
    return this.#count < FAILURES || this.#chance >= UNLIKELY;
  }

  /** Whether a row begins with a request to that route that is not served now: failures are none of refusals. */
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
