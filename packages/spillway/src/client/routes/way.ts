/** The way of one request to its host: the turns that it takes, and who is to know what became of it. */
import type { StopSignal } from "../../internal/index.ts";
import type { Priority } from "../../shedding/index.ts";
import type { Advice } from "../advice/advice.ts";
import type { Host } from "../host.ts";
import type { Sent } from "../host-state.ts";
import type { ClientSettings } from "../options.ts";
import type { Start } from "../pace/starts.ts";
import { turnAt } from "../wait.ts";
import type { Waiting } from "../waiting.ts";
import type { Route } from "./routes.ts";

/** What came of it. */
type Said = Omit<Sent, "start" | "isOfHost">;
type Wait = Omit<Waiting, "route"> & { readonly deadline: number };

const NOTHING: Advice = { retryAfter: undefined, quotas: [] };

export class Way {
  readonly #host: Host;
  readonly #route: Route;
  /** What held its route back alone when it set out, and when it was its turn there. */
  readonly #lane: Host | undefined;
  #begun: Start | undefined;
  #sent: Start | undefined;

  constructor(host: Host, route: Route) {
    this.#host = host;
    this.#route = route;
    this.#lane = route.lane;
  }

  /** When it was sent. */
  get start(): Start {
    return this.#sent as Start;
  }

  /**
   * Waits until it may be sent; what is to be called when its answer's body is over.
   *
   * @throws RateLimitError where that does not come in time; the signal's reason.
   */
  async turn(
    wait: Wait,
    signal: StopSignal | undefined,
    settings: ClientSettings,
  ): Promise<(() => void) | undefined> {
    const lane = this.#lane;
    const waiting = { ...wait, route: this.#route.name };
    if (lane !== undefined) this.#begun = (await turnAt(lane, waiting, signal, settings)).start;
    try {
      const { start, release } = await turnAt(this.#host, waiting, signal, settings);
      this.#sent = start;
      return release;
    } catch (error) {
      if (this.#begun !== undefined) lane?.brokenOff(this.#begun);
      throw error;
    }
  }

  /** It has come back; who holds back what comes after it. */
  done(priority: Priority, sent: Said): Host {
    const { start } = this;
    const isServed = sent.outcome === "served";
    const holding = isServed ? undefined : this.#notServed(sent);
    if (isServed) this.#host.routes.served(this.#route, start.at);
    const isOfHost = this.#host.routes.isOfHost(sent.outcome !== "failed");
    if (holding === undefined) this.#host.done(priority, { ...sent, start, isOfHost });
    else this.#host.brokenOff(start);
    // The host has received what the answer says of quotas.
    if (isServed) this.#laneDone(priority, { ...sent, advice: NOTHING });
    else if (this.#lane !== undefined) this.#laneDone(priority, sent);
    else holding?.heard({ ...sent, start, isOfHost });
    return holding ?? this.#host;
  }

  /** Whoever wanted it has broken it off: that says nothing. */
  brokenOff(): void {
    this.#host.brokenOff(this.start);
    if (this.#begun !== undefined) this.#lane?.brokenOff(this.#begun);
  }

  #notServed({ outcome }: Pick<Sent, "outcome">): Host | undefined {
    const isRefusal = outcome !== "failed";
    const { at } = this.start;
    return this.#lane ?? this.#host.routes.notServed(this.#route, { at, isRefusal }, this.#host);
  }

  #laneDone(priority: Priority, sent: Said): void {
    const start = this.#begun;
    if (start !== undefined) this.#lane?.done(priority, { ...sent, start, isOfHost: true });
  }
}
