/** One request and its answer: the turns that it waits for, and who is to know what became of it. */
import { NO_ADVICE } from "../../http/advice/index.ts";
import type { Priority, StopSignal } from "../../internal/index.ts";
import type { ClientWaits } from "../hosts/client-waits.ts";
import type { Host } from "../hosts/host.ts";
import type { RequestResult } from "../hosts/host-state.ts";
import type { WaitingRequest } from "../hosts/waiting-line.ts";
import type { RequestStart } from "../pace/request-starts.ts";
import type { Counts } from "../units/counts.ts";
import type { ClientRoute } from "./routes.ts";

/** What came of it. */
type ExchangeResult = Omit<RequestResult, "start" | "isOfHost">;
type TurnWait = Omit<WaitingRequest, "route"> & { readonly deadline: number };

export class Exchange {
  readonly #host: Host;
  readonly #route: ClientRoute<Host>;
  /** What held its route back alone when it set out, and when it was its turn there. */
  readonly #lane: Host | undefined;
  #begun: RequestStart | undefined;
  #sent: RequestStart | undefined;
  /** Where requests of its route are redirected, and when it was its turn there. */
  readonly #next: Host | undefined;
  #hop: RequestStart | undefined;

  /** @param next Where its route was redirected last. */
  constructor(host: Host, route: ClientRoute<Host>, next: Host | undefined) {
    this.#host = host;
    this.#route = route;
    this.#lane = route.lane;
    this.#next = next;
  }

  /** When it was sent. */
  get start(): RequestStart {
    return this.#sent as RequestStart;
  }

  /**
   * Waits until it may be sent; what is to be called when its answer's body is over.
   *
   * @throws RateLimitError where that does not come in time; the signal's reason.
   */
  async turn(
    wait: TurnWait,
    signal: StopSignal | undefined,
    waits: ClientWaits,
  ): Promise<(() => void) | undefined> {
    const waiting = { ...wait, route: this.#route.name };
    const permit = (gate: Host) => {
      // What it uses counts where it is asked, once.
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
      // One that it had passed has said to wait while it waited for another.
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

  /** In one order for all: of two that wait for what the other one has, neither would be sent. */
  get #gates(): readonly Host[] {
    const lane = this.#lane === undefined ? [] : [this.#lane];
    if (this.#next === undefined) return [...lane, this.#host];
    const isFirst = this.#next.name < this.#host.name;
    return [...lane, ...(isFirst ? [this.#next, this.#host] : [this.#host, this.#next])];
  }

  /** It has come back; who holds back what comes after it. */
  done(priority: Priority, sent: ExchangeResult): Host {
    const { start } = this;
    const isServed = sent.outcome === "served";
    const holding = isServed ? undefined : this.#notServed(sent);
    if (isServed) this.#host.routes.served(this.#route, start.at);
    const isOfHost = this.#host.routes.isOfHost(sent.outcome !== "failed");
    if (holding === undefined) this.#host.done(priority, { ...sent, start, isOfHost });
    else this.#host.brokenOff(start);
    // The host has received what the answer says of quotas.
    if (isServed) this.#laneDone(priority, { ...sent, advice: NO_ADVICE });
    else if (this.#isInLane) this.#laneDone(priority, sent);
    else {
      this.#leaveLane();
      holding?.heard({ ...sent, start, isOfHost });
    }
    return holding ?? this.#host;
  }

  /** Whoever wanted it has broken it off: that says nothing. */
  brokenOff(): void {
    this.#host.brokenOff(this.start);
    this.#leaveLane();
    this.leaveNext();
  }

  /** Its answer's body is over; `used` where that was said. */
  over(used: Counts | undefined): void {
    this.#host.over(this.start, used);
  }

  /** Its answer came from another host than was asked; undefined where it did not. */
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

  /** Nobody knows whether it came to where it was to be redirected. */
  leaveNext(): void {
    if (this.#hop !== undefined) this.#next?.brokenOff(this.#hop);
  }

  /** Whether what held its route back still does: else its answer is the host's. */
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
