/** One attempt of a request: the queues in which it waits, and the hosts that learn its result. */
import { NO_ADVICE } from "../../http/advice/index.ts";
import type { Priority, StopSignal } from "../../internal/index.ts";
import type { ClientWaits } from "../hosts/client-waits.ts";
import type { Host } from "../hosts/host.ts";
import type { RequestResult } from "../hosts/host-state.ts";
import type { WaitingRequest } from "../hosts/waiting-line.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import type { Counts } from "../units/counts.ts";
import type { ClientRoute } from "./routes.ts";

/** The result of an attempt. */
type ExchangeResult = Omit<RequestResult, "start" | "isOfHost">;
type TurnWait = Omit<WaitingRequest, "route"> & { readonly deadline: number };

export class Exchange {
  readonly #host: Host;
  readonly #route: ClientRoute<Host>;
  /** The queue that held only its route back when the request was made; and its start there. */
  readonly #lane: Host | undefined;
  #begun: RequestStart | undefined;
  #sent: RequestStart | undefined;
  /** The host to which requests of its route are redirected; and its start there. */
  readonly #next: Host | undefined;
  #hop: RequestStart | undefined;

  /**
   * @param next The host to which requests of its route are redirected; undefined if none is known.
   */
  constructor(host: Host, route: ClientRoute<Host>, next: Host | undefined) {
    this.#host = host;
    this.#route = route;
    this.#lane = route.lane;
    this.#next = next;
  }

  /** The instant and number of its start at the host. Defined once `turn` has resolved. */
  get start(): RequestStart {
    return this.#sent as RequestStart;
  }

  /**
   * Waits until it may be sent. Resolves with the function to call when the body of its response is
   * over, if there is one.
   *
   * @throws RateLimitError if it may not be sent before its deadline; the signal's reason if it is
   * aborted.
   */
  async turn(
    wait: TurnWait,
    signal: StopSignal | undefined,
    waits: ClientWaits,
  ): Promise<(() => void) | undefined> {
    const waiting = { ...wait, route: this.#route.name };
    const permit = (gate: Host) => {
      // Its units are counted once, at the host that it calls.
      const counts = gate === this.#host ? wait.counts : undefined;
      return waits.turnAt(gate, { ...waiting, counts }, signal);
    };
    try {
      const held = new Map<Host, number>();
      let release: (() => void) | undefined;
      for (const gate of this.#gates) {
        const permitted = await permit(gate);
        held.set(gate, heldUntil(gate));
        release ??= permitted.release;
        if (gate === this.#next) this.#hop = permitted.start;
        else if (gate === this.#lane) this.#begun = permitted.start;
        else this.#sent = permitted.start;
      }
      if ([...held].every(([gate, until]) => heldUntil(gate) <= until)) return release;
      // A host whose queue it had passed has named a wait while it waited in another queue.
      release?.();
      this.brokenOff();
      this.#begun = this.#hop = this.#sent = undefined;
      return this.turn(wait, signal, waits);
    } catch (error) {
      if (this.#sent !== undefined) this.#host.brokenOff(this.#sent);
      this.#leaveLane();
      this.leaveNext();
      throw error;
    }
  }

  /**
   * The queues through which it goes, in the same order for all requests. Otherwise two of them
   * could each wait for what the other holds.
   */
  get #gates(): readonly Host[] {
    const lane = this.#lane === undefined ? [] : [this.#lane];
    if (this.#next === undefined) return [...lane, this.#host];
    const isFirst = this.#next.name < this.#host.name;
    return [...lane, ...(isFirst ? [this.#next, this.#host] : [this.#host, this.#next])];
  }

  /**
   * Records the result. Returns the queue that holds later requests back: the host's, or that of
   * the route alone.
   */
  done(priority: Priority, sent: ExchangeResult): Host {
    const { start } = this;
    const isServed = sent.outcome === "served";
    const holding = isServed ? undefined : this.#notServed(sent);
    if (isServed) this.#host.routes.served(this.#route, start.at);
    const isOfHost = this.#host.routes.isOfHost(sent.outcome !== "failed");
    if (holding === undefined) this.#host.done(priority, { ...sent, start, isOfHost });
    else this.#host.brokenOff(start);
    // The host has already received the quotas of this response.
    if (isServed) this.#laneDone(priority, { ...sent, advice: NO_ADVICE });
    else if (this.#isInLane) this.#laneDone(priority, sent);
    else {
      this.#leaveLane();
      holding?.heard({ ...sent, start, isOfHost });
    }
    return holding ?? this.#host;
  }

  /** Records that its caller aborted it. Nothing is learnt from it. */
  brokenOff(): void {
    this.#host.brokenOff(this.start);
    this.#leaveLane();
    this.leaveNext();
  }

  /**
   * Records that the body of its response has ended. `used` is undefined if the body does not
   * report its units.
   */
  over(used: Counts | undefined): void {
    this.#host.over(this.start, used);
  }

  /**
   * Records which other host sent its response, after a redirect; undefined if the host that it
   * called did.
   */
  ledTo(from: Host | undefined, priority: Priority, said: ExchangeResult): void {
    const route = this.#route;
    route.led = from === route.leadsTo ? route.led + 1 : 1;
    route.leadsTo = from;
    const isExpected = from !== undefined && from === this.#next;
    if (isExpected)
      from.done(priority, { ...said, start: this.#hop as RequestStart, isOfHost: true });
    else {
      this.leaveNext();
      from?.heard({ ...said, start: this.start, isOfHost: true });
    }
  }

  /** Gives back its start at the host of the redirect, because it may not have arrived there. */
  leaveNext(): void {
    if (this.#hop !== undefined) this.#next?.brokenOff(this.#hop);
  }

  /**
   * Whether its route is still held back alone. If not, its result counts for the host.
   */
  get #isInLane(): boolean {
    return this.#lane !== undefined && this.#lane === this.#route.lane;
  }

  #leaveLane(): void {
    if (this.#begun !== undefined) this.#lane?.brokenOff(this.#begun);
  }

  #notServed({ outcome }: Pick<RequestResult, "outcome">): Host | undefined {
    const isRefusal = outcome !== "failed";
    const { at } = this.start;
    this.#route.well = 0;
    if (this.#isInLane) return this.#lane;
    return this.#host.routes.notServed(this.#route, { at, isRefusal }, this.#host);
  }

  #laneDone(priority: Priority, sent: ExchangeResult): void {
    const start = this.#begun;
    if (start !== undefined) this.#lane?.done(priority, { ...sent, start, isOfHost: true });
  }
}

function heldUntil({ memory: { hold } }: Host): number {
  return hold.until;
}
