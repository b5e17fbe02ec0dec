/** The routes of one host: how often each is requested, and which of them are held back alone. */
import { RecentMap } from "../../internal/index.ts";
import type { HostMemory } from "../hosts/host-state.ts";
import { RecentCount } from "../pace/recent-count.ts";
import { Suspicion } from "./suspicion.ts";

/** The maximum number of routes that are remembered; APIs have some dozens. */
const MOST_ROUTES = 100;
/**
 * The number of recent requests over which the part of each route is computed. A route held back
 * for failures is released after as many served requests in a row.
 */
const RECENT_REQUESTS = 100;

/** Anything that holds requests back: a host, or the queue of one of its routes alone. */
type RoutePause = {
  readonly isIdle: boolean;
  readonly heldUntil: number;
  readonly saidLeft: number;
  readonly memory: HostMemory;
  goBackTo(memory: HostMemory): void;
};

/** A route that was requested. */
export type ClientRoute<H> = {
  readonly name: string;
  readonly starts: RecentCount;
  /** The queue that holds it back alone; undefined while its results count for its host. */
  lane: H | undefined;
  /** The number of its requests that were served in a row. */
  well: number;
  /** The host to which it redirects; undefined if it does not. */
  leadsTo: H | undefined;
  /** The number of times in a row that it has redirected there. */
  led: number;
};

/** A request of a route that was refused, or that failed. */
export type UnservedRequest = { readonly at: number; readonly isRefusal: boolean };

export class Routes<H extends RoutePause> {
  readonly #newLane: (route: string) => H;
  readonly #known = new RecentMap<string, ClientRoute<H>>(MOST_ROUTES);
  /**
   * Routes that are held back alone. They are kept apart, so that a flood of other routes does not
   * evict them.
   */
  readonly #held = new Map<string, ClientRoute<H>>();
  readonly #suspicion = new Suspicion();
  /** Routes that are held back alone because they have a limit of their own. */
  #withLimits: ClientRoute<H>[] = [];
  /** The number of all requests, and the number of recent ones. */
  #begun = 0;
  readonly #starts = new RecentCount(0, RECENT_REQUESTS);
  /**
   * A snapshot of the host, taken before the first of the latest unserved requests in a row.
   */
  #before: HostMemory | undefined;

  constructor(newLane: (route: string) => H) {
    this.#newLane = newLane;
  }

  /** Whether no request waits or is under way in the queue of a route alone. */
  get areIdle(): boolean {
    return this.#lanes.every(({ isIdle }) => isIdle);
  }

  /** The latest instant until which a route is held back alone; 0 if none is. */
  get heldUntil(): number {
    return Math.max(0, ...this.#lanes.map(({ heldUntil }) => heldUntil));
  }

  get #lanes(): readonly H[] {
    return [...this.#held.values()].flatMap(({ lane }) => lane ?? []);
  }

  /** Records a request to a route, and returns the route. */
  begin(name: string): ClientRoute<H> {
    const now = ++this.#begun;
    const route = this.#held.get(name) ??
      this.#known.get(name) ?? {
        name,
        starts: new RecentCount(now, RECENT_REQUESTS),
        lane: undefined,
        well: 0,
        leadsTo: undefined,
        led: 0,
      };
    this.#known.set(name, route);
    route.starts.add(now);
    this.#starts.add(now);
    return route;
  }

  /** The route of the latest request that was not served; undefined if all were. */
  get failing(): string | undefined {
    return this.#suspicion.route;
  }

  /** Whether results of other routes would now show whether only that route is at fault. */
  get isOpen(): boolean {
    return this.#suspicion.isOpen;
  }

  /** Returns whether the latest result, a refusal or a failure, already counts against the host. */
  isOfHost(isRefusal: boolean): boolean {
    return this.#suspicion.isOfHost(isRefusal);
  }

  /** Records that a request was served. `at` is the instant at which it was sent. */
  served(route: ClientRoute<H>, at: number): void {
    this.#suspicion.served(route.name, at);
    // A route that failed once returns to its host. Otherwise each such route would have to detect
    // an outage by itself.
    if (++route.well >= RECENT_REQUESTS && !this.#withLimits.includes(route)) this.#release(route);
  }

  /**
   * Records a request that was not served. Returns the queue that holds its route back; undefined
   * if its host does.
   *
   * @param host Returns to the snapshot from before the row if only the route is at fault.
   */
  notServed(route: ClientRoute<H>, { at, isRefusal }: UnservedRequest, host: H): H | undefined {
    if (route.lane !== undefined) return route.lane;
    const { name } = route;
    if (isRefusal) this.#join();
    if (this.#suspicion.isNew({ route: name, isRefusal })) this.#before = host.memory;
    const part = route.starts.count(this.#begun) / this.#starts.count(this.#begun);
    if (!this.#suspicion.notServed({ route: name, at, isRefusal, part })) return undefined;
    if (!this.#hasRoom(at)) return undefined;
    const { hold } = host.memory;
    host.goBackTo(this.#before as HostMemory);
    route.lane = this.#newLane(name);
    this.#held.set(name, route);
    route.well = 0;
    // The pause that was named during this row was named by the route.
    route.lane.goBackTo({ rate: undefined, hold });
    if (isRefusal) this.#withLimits.push(route);
    return route.lane;
  }

  /**
   * Makes room by releasing routes that are no longer held back. Returns false if all of them are
   * still held back. A failing route then counts for its host.
   */
  #hasRoom(now: number): boolean {
    for (const route of this.#held.size < MOST_ROUTES ? [] : this.#held.values()) {
      const { lane } = route;
      if (lane === undefined || (lane.isIdle && lane.heldUntil <= now)) this.#release(route);
    }
    return this.#held.size < MOST_ROUTES;
  }

  #release(route: ClientRoute<H>): void {
    route.lane = undefined;
    this.#held.delete(route.name);
    this.#withLimits = this.#withLimits.filter((each) => each !== route);
  }

  /**
   * Another route is refused as well, so the limit is the host's. Releases the routes with limits,
   * except those whose named wait is not over.
   */
  #join(): void {
    const isHeld = ({ lane }: ClientRoute<H>) => lane !== undefined && lane.saidLeft > 0;
    for (const route of this.#withLimits) if (!isHeld(route)) this.#release(route);
    this.#withLimits = this.#withLimits.filter(isHeld);
  }
}
