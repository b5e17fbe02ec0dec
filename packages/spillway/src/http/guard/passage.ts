/**
 * A request on its way through a guard: its response, and the work to do when the response is over.
 */

import { chain, type MaybePromise, notify, rescued } from "../../internal/index.ts";
import { type AnyLimiter, whileHeld } from "../../limiter/index.ts";
import type { Decision } from "../../limits/core/index.ts";
import type { Admission } from "../../shedding/index.ts";
import type { Header } from "../headers/index.ts";
import { called, failure } from "./calls.ts";
import type { OnRouteEvent } from "./events.ts";
import type { Refusal } from "./refusal.ts";
import type { ResponseOutcome, RouteDecision, SettleFunction } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";
import type { RouteReport } from "./route-headers.ts";
import { budgetOf, hasTaken, type TakeResult } from "./taking.ts";
import { type OpenedSocket, SWITCHING_PROTOCOLS } from "./web-socket.ts";

/** Everything that all requests of a route share. */
export type RouteContext<R> = {
  readonly limiter: AnyLimiter;
  /**
   * For each limit of the route, the function that returns the units really used, if it has one.
   */
  readonly settles: readonly (SettleFunction<R> | undefined)[];
  /** Whether any limit has such a function. */
  readonly isSettled: boolean;
  /** How long to wait for each of these functions, in milliseconds. */
  readonly timeout: number;
  readonly onEvent: OnRouteEvent<R> | undefined;
  /**
   * Reports a WebSocket whose lease is not held. Returns whether the lease is kept for good.
   *
   * @throws SpillwayError `socket-not-held` if the WebSocket can still be refused
   */
  readonly keepsForgotten: (request: R) => boolean;
  /** Returns the limits that this route and earlier ones report. */
  readonly report: (
    taken: TakeResult | undefined,
    earlier: RouteReport | undefined,
  ) => RouteReport | undefined;
};

/** The results for a request so far. */
export type PassageState = {
  readonly taken?: TakeResult;
  readonly headers?: readonly Header[];
  readonly admission?: Admission | undefined;
};

/** The objects that a passage is built from. */
export type PassageParts<R> = {
  readonly context: RouteContext<R>;
  readonly request: R;
  readonly found: PassageState;
  readonly refusal: Refusal | undefined;
  /** The decision of an earlier route on the same request. */
  readonly previous: RouteDecision | undefined;
};

const NONE: readonly never[] = [];

/**
 * One request on its way through a guard. It is also the decision that programs find on the
 * request.
 */
export class Passage<R> implements RouteDecision {
  /** Must be sent with every response. */
  readonly headers: readonly Header[];
  /** The response to send instead of the handler's. */
  readonly refusal: Refusal | undefined;
  readonly previous: RouteDecision | undefined;
  readonly #context: RouteContext<R>;
  readonly #request: R;
  readonly #taken: TakeResult | undefined;
  readonly #admission: Admission | undefined;
  /**
   * The asks that are settled. They are compared by identity: one limit may be asked under several
   * keys.
   */
  #settled: readonly RouteAsk[] = NONE;
  #releaseLease: (() => void) | undefined;
  #isOver = false;
  /** Whether the program ends the lease itself, and whether it already has. */
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
    else this.#releaseLease = taken?.own?.end;
  }

  get decision(): Decision | undefined {
    return this.#taken?.decision;
  }

  get decisions(): readonly Decision[] {
    return this.#taken?.decisions ?? NONE;
  }

  /** Getters are left out of JSON. Without this, `response.json(request.spillway)` lacks them. */
  toJSON(): Pick<RouteDecision, "decision" | "decisions"> {
    return { decision: this.decision, decisions: this.decisions };
  }

  /** The limits of this route and earlier ones, for a later route to report with its own. */
  get report(): RouteReport | undefined {
    return this.#context.report(this.#taken, reportOf(this.previous));
  }

  /** Whether the same limiter was already asked for the same budget. */
  asked(limiter: AnyLimiter, { limit, key }: RouteAsk): boolean {
    if (limiter !== this.#context.limiter) return false;
    return this.#asks.some((ask) => ask.limit === limit && ask.key === key);
  }

  get #asks(): readonly RouteAsk[] {
    return this.#taken?.asks ?? NONE;
  }

  /** Whether `over` must be called. */
  get isWatched(): boolean {
    if (this.#admission !== undefined || this.#releaseLease !== undefined) return true;
    return this.#taken !== undefined && this.#context.isSettled;
  }

  settle(used: number, limit?: string): MaybePromise<void> {
    // A program knows the limits that it lists, but not which quota of a rule file had room.
    const isListed = this.#taken?.own === undefined;
    const ask = this.#asks.find((one, place) => {
      if (limit !== undefined && one.limit !== limit) return false;
      return isListed || hasTaken(this.decisions[place] as Decision);
    });
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
   * Must be called once a WebSocket is open. The response is then over; a lease lasts as long as it
   * is held.
   *
   * @throws SpillwayError `socket-not-held` if nothing reports when the WebSocket closes, and it
   * can still be refused
   */
  opened({ onClose }: OpenedSocket): void {
    onClose?.(this.hold());
    const isForgotten = this.#releaseLease !== undefined && !this.#isHeld;
    if (isForgotten && this.#context.keepsForgotten(this.#request)) this.hold();
    this.over({ status: SWITCHING_PROTOCOLS, finished: true });
  }

  /**
   * Must be called once the response is over. Further calls do nothing.
   *
   * @param outcome How the response ended; undefined if it never began.
   */
  over(outcome: ResponseOutcome | undefined): void {
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

  /** A program's own shedder may throw here. */
  #endAdmission(end: "served" | "failed"): void {
    const admission = this.#admission;
    if (admission !== undefined) notify((how: typeof end) => admission.done(how), end);
  }

  #settleBy(ask: RouteAsk, settle: SettleFunction<R>, outcome: ResponseOutcome): void {
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

  /**
   * Settles an ask once. Units granted without the store, or by a limit that is not enforced, were
   * never taken, so they are not settled.
   */
  #settle(ask: RouteAsk, used: number): MaybePromise<void> {
    const decision = this.decisions[this.#asks.indexOf(ask)];
    if (!this.decision?.ok || decision === undefined || this.#settled.includes(ask)) return;
    if (!hasTaken(decision)) return;
    this.#settled = [...this.#settled, ask];
    const { limiter } = this.#context;
    const amounts = { ...budgetOf(ask), reserved: ask.count, used };
    const own = this.#taken?.own;
    const settle = () =>
      own === undefined ? limiter.settle(ask.limit, amounts) : own.settle(ask, used);
    return rescued(
      () => chain(settle(), () => {}),
      (error) => this.#notSettled(ask, error),
    );
  }

  #notSettled({ limit }: RouteAsk, error: unknown): void {
    const request = this.#request;
    notify(this.#context.onEvent, { type: "not settled", request, limit, error });
  }

  /** Renews the lease until the response is over. */
  #keep(lease: NonNullable<TakeResult["lease"]>): void {
    const held = whileHeld(lease, () => {
      return new Promise<void>((resolve) => {
        this.#releaseLease = resolve;
      });
    });
    held.catch(() => {});
  }
}

/** A passage of any type of request. */
export type AnyPassage = Pick<Passage<never>, keyof Passage<never>>;

/** Returns the limits that earlier routes of a request reported. */
export function reportOf(previous: RouteDecision | undefined): RouteReport | undefined {
  return previous instanceof Passage ? previous.report : undefined;
}
