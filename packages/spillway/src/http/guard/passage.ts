/** A request's way through: what it is answered, and what is to be done when it is over. */

import { chain, type Maybe, notify, rescued } from "../../internal/index.ts";
import { type AnyLimiter, whileHeld } from "../../limiter/index.ts";
import type { Decision } from "../../limits/core/index.ts";
import type { Admission } from "../../shedding/index.ts";
import type { Header } from "../headers/index.ts";
import { called, failure } from "./calls.ts";
import type { OnRouteEvent } from "./events.ts";
import type { Refusal } from "./refusal.ts";
import type { Outcome, RouteDecision, Settle } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";
import type { Report } from "./route-headers.ts";
import { budgetOf, type Taken } from "./taking.ts";
import { type OpenedSocket, SWITCHING_PROTOCOLS } from "./web-socket.ts";

/** Whose limits, and who is notified: the same for all requests of a route. */
export type Context<R> = {
  readonly limiter: AnyLimiter;
  /** What reports how much was really used, for each limit of the route. */
  readonly settles: readonly (Settle<R> | undefined)[];
  /** Whether there is one. */
  readonly isSettled: boolean;
  /** How long each is waited for, in milliseconds. */
  readonly timeout: number;
  readonly onEvent: OnRouteEvent<R> | undefined;
  /**
   * Reports a WebSocket under a lease that nobody holds; whether the lease is kept for good.
   *
   * @throws SpillwayError `socket-not-held` where it can still be refused
   */
  readonly keepsForgotten: (request: R) => boolean;
  /** What its limits and earlier routes report. */
  readonly report: (taken: Taken | undefined, earlier: Report | undefined) => Report | undefined;
};

/** What has been found out about a request, as far as it has come. */
export type Found = {
  readonly taken?: Taken;
  readonly headers?: readonly Header[];
  readonly admission?: Admission | undefined;
};

/** What a passage is made of. */
export type PassageParts<R> = {
  readonly context: Context<R>;
  readonly request: R;
  readonly found: Found;
  readonly refusal: Refusal | undefined;
  /** The decision of an earlier route on the same request. */
  readonly previous: RouteDecision | undefined;
};

const NONE: readonly never[] = [];

/** It is the decision on the request as well. */
export class Passage<R> implements RouteDecision {
  /** To be sent with whatever is answered. */
  readonly headers: readonly Header[];
  /** What to answer instead of the handler. */
  readonly refusal: Refusal | undefined;
  readonly previous: RouteDecision | undefined;
  readonly #context: Context<R>;
  readonly #request: R;
  readonly #taken: Taken | undefined;
  readonly #admission: Admission | undefined;
  /** What is settled; the same limit may be asked under several keys. */
  #settled: readonly RouteAsk[] = NONE;
  #releaseLease: (() => void) | undefined;
  #isOver = false;
  /** Whether somebody ends the lease by hand, and whether they have yet. */
  #isHeld = false;
  #isLetGo = false;

  constructor(parts: PassageParts<R>) {
    const { context, request, refusal, previous } = parts;
    const { taken, headers = NONE, admission } = parts.found;
    this.#context = context;
    this.#request = request;
    this.#taken = taken;
    this.headers = headers;
    this.refusal = refusal;
    this.#admission = admission;
    this.previous = previous;
    if (taken?.lease !== undefined) this.#keep(taken.lease);
  }

  get decision(): Decision | undefined {
    return this.#taken?.decision;
  }

  get decisions(): readonly Decision[] {
    return this.#taken?.decisions ?? NONE;
  }

  /** What is left of this route's limits and of those of earlier ones, for a later one to report with its own. */
  get report(): Report | undefined {
    return this.#context.report(this.#taken, reportOf(this.previous));
  }

  /** Whether the same limiter was asked for the same budget. */
  asked(limiter: AnyLimiter, { limit, key }: RouteAsk): boolean {
    if (limiter !== this.#context.limiter) return false;
    return this.#asks.some((ask) => ask.limit === limit && ask.key === key);
  }

  get #asks(): readonly RouteAsk[] {
    return this.#taken?.asks ?? NONE;
  }

  /** Whether somebody has to call `over`. */
  get isWatched(): boolean {
    if (this.#admission !== undefined || this.#releaseLease !== undefined) return true;
    return this.#taken !== undefined && this.#context.isSettled;
  }

  settle(used: number, limit?: string): Maybe<void> {
    const ask = limit === undefined ? this.#asks[0] : this.#asks.find((ask) => ask.limit === limit);
    if (ask !== undefined) return this.#settle(ask, used);
  }

  hold(): () => void {
    const letGo = this.previous?.hold();
    this.#isHeld = true;
    return () => {
      this.#isLetGo = true;
      if (this.#isOver) this.#releaseLease?.();
      letGo?.();
    };
  }

  /**
   * To be called once a WebSocket was opened: the response is over, and a lease lasts for as long as it is held.
   *
   * @throws SpillwayError `socket-not-held` where nobody says when it closes, and it can still be refused
   */
  opened({ onClose }: OpenedSocket): void {
    onClose?.(this.hold());
    const isForgotten = this.#releaseLease !== undefined && !this.#isHeld;
    if (isForgotten && this.#context.keepsForgotten(this.#request)) this.hold();
    this.over({ status: SWITCHING_PROTOCOLS, finished: true });
  }

  /**
   * To be called once the response is over. Again, it does nothing.
   *
   * @param outcome How it ended; undefined where it was never begun.
   */
  over(outcome: Outcome | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const lasts = this.#isHeld && !this.#isLetGo && outcome?.status === SWITCHING_PROTOCOLS;
    if (!lasts) this.#releaseLease?.();
    this.#endAdmission(outcome?.finished ? "served" : "failed");
    if (outcome === undefined || !this.decision?.ok) return;
    for (const [index, ask] of this.#asks.entries()) {
      const settle = this.#context.settles[index];
      if (settle !== undefined) this.#settleBy(ask, settle, outcome);
    }
  }

  /** A shedder may be the program's own. */
  #endAdmission(end: "served" | "failed"): void {
    const admission = this.#admission;
    if (admission !== undefined) notify((how: typeof end) => admission.done(how), end);
  }

  #settleBy(ask: RouteAsk, settle: Settle<R>, outcome: Outcome): void {
    if (this.#settled.includes(ask)) return;
    const sought = { field: "settle", timeout: this.#context.timeout };
    const fail = (error: unknown) => this.#notSettled(ask, failure("settle", error).error);
    void rescued(
      () =>
        chain(called(sought, settle, outcome, this.#request), (used) => this.#settleAs(ask, used)),
      fail,
    );
  }

  #settleAs(ask: RouteAsk, used: number | "reset" | undefined): void {
    if (used === "reset") this.#reset(ask);
    else if (used !== undefined && used !== ask.count) void this.#settle(ask, used);
  }

  #reset(ask: RouteAsk): void {
    void rescued(
      () => this.#context.limiter.reset(ask.limit, budgetOf(ask)),
      (error) => this.#notSettled(ask, error),
    );
  }

  /** What was answered without the store was not taken from it. */
  #settle(ask: RouteAsk, used: number): Maybe<void> {
    const index = this.#asks.indexOf(ask);
    const wasTaken = this.decision?.ok && !this.decisions[index]?.degraded;
    if (!wasTaken || this.#settled.includes(ask)) return;
    this.#settled = [...this.#settled, ask];
    const amounts = { ...budgetOf(ask), reserved: ask.count, used };
    return rescued(
      () => chain(this.#context.limiter.settle(ask.limit, amounts), () => {}),
      (error) => this.#notSettled(ask, error),
    );
  }

  #notSettled({ limit }: RouteAsk, error: unknown): void {
    const request = this.#request;
    notify(this.#context.onEvent, { type: "not settled", request, limit, error });
  }

  /** Renewed for as long as the response lasts. */
  #keep(lease: NonNullable<Taken["lease"]>): void {
    const held = whileHeld(lease, () => {
      return new Promise<void>((resolve) => {
        this.#releaseLease = resolve;
      });
    });
    held.catch(() => {});
  }
}

/** A passage, whatever its route's requests are. */
export type AnyPassage = Pick<Passage<never>, keyof Passage<never>>;

/** What a request's earlier routes have reported. */
export function reportOf(previous: RouteDecision | undefined): Report | undefined {
  return previous instanceof Passage ? previous.report : undefined;
}
