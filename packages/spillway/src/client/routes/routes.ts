/** The routes of one host: how often each is asked, and which of them is held back alone. */
import { RecentMap } from "../../internal/index.ts";
import type { HostMemory } from "../hosts/host-state.ts";
import { RecentCount } from "../pace/recent-count.ts";
import { Suspicion } from "./suspicion.ts";

/** Routes that are remembered; APIs have some dozens. */
const MOST_ROUTES = 100;
/** Requests over which it is counted how often each is asked. */
const RECENT_REQUESTS = 100;

/** What holds a host back, or one of its routes alone. */
type RoutePause = {
  readonly isIdle: boolean;
  readonly heldUntil: number;
  readonly saidLeft: number;
  readonly memory: HostMemory;
  goBackTo(memory: HostMemory): void;
};

/** A route that was asked. */
export type ClientRoute<H> = {
  readonly name: string;
  readonly starts: RecentCount;
  /** What holds it back alone; undefined as long as what becomes of it is put down to its host. */
  lane: H | undefined;
  /** How many were served in a row while it was held back alone. */
  well: number;
  /** The host to which it redirects; undefined where it answers itself. */
  leadsTo: H | undefined;
  /** How often in a row. */
  led: number;
};

/** An answer that is none, or a refusal, of a route's request. */
export type UnservedRequest = { readonly at: number; readonly isRefusal: boolean };

export class Routes<H extends RoutePause> {
  readonly #newLane: (route: string) => H;
  readonly #known = new RecentMap<string, ClientRoute<H>>(MOST_ROUTES);
  /** Those that are held back alone: a flood of others must not push them out. */
  readonly #held = new Map<string, ClientRoute<H>>();
  readonly #suspicion = new Suspicion();
  /** Those with a limit of their own. */
  #withLimits: ClientRoute<H>[] = [];
  /** Requests, and how many count still. */
  #begun = 0;
  readonly #starts = new RecentCount(0, RECENT_REQUESTS);
  /** What was known of the host before the first of those that were not served in a row. */
  #before: HostMemory | undefined;

  constructor(newLane: (route: string) => H) {
    this.#newLane = newLane;
  }

  /** Whether no request waits for a route alone. */
  get areIdle(): boolean {
    return this.#lanes.every(({ isIdle }) => isIdle);
  }

  /** The instant until which one of them is held back alone; it may be over. */
  get heldUntil(): number {
    return Math.max(0, ...this.#lanes.map(({ heldUntil }) => heldUntil));
  }

  get #lanes(): readonly H[] {
    return [...this.#held.values()].flatMap(({ lane }) => lane ?? []);
  }

  /** A request to a route is sent. */
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

  /** The route of which the last one was not served. */
  get failing(): string | undefined {
    return this.#suspicion.route;
  }

  /** Whether what other routes are answered now would show whether it is that route alone. */
  get isOpen(): boolean {
    return this.#suspicion.isOpen;
  }

  /** Whether the last one that was not served says anything of the host yet. */
  isOfHost(isRefusal: boolean): boolean {
    return this.#suspicion.isOfHost(isRefusal);
  }

  /** A request that was sent then was served. */
  served(route: ClientRoute<H>, at: number): void {
    this.#suspicion.served(route.name, at);
    // One that failed once is its host's again, or an outage would be found out by each such route.
    if (++route.well >= RECENT_REQUESTS && !this.#withLimits.includes(route)) this.#release(route);
  }

  /**
   * One was not served: what holds its route back, where that is not its host.
   *
   * @param host Goes back to what it knew before it was known that it is the route.
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
    // What was said in that row, the route itself has said.
    route.lane.goBackTo({ rate: undefined, hold });
    if (isRefusal) this.#withLimits.push(route);
    return route.lane;
  }

  /** Makes room by releasing what is not held any more. Where all are, a route that fails is its host's. */
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

  /** Others are refused as well: the limit is their host's. */
  #join(): void {
    const isHeld = ({ lane }: ClientRoute<H>) => lane !== undefined && lane.saidLeft > 0;
    for (const route of this.#withLimits) if (!isHeld(route)) this.#release(route);
    this.#withLimits = this.#withLimits.filter(isHeld);
  }
}
