/** Queues the requests to one host, and sends each when it may be sent. */
import { notify } from "../../internal/index.ts";
import { type Reason, refused } from "../../limits/core/index.ts";
import type { Counts } from "../units/counts.ts";
import type { HostState, StateSettings } from "./host-state.ts";
import type { SendMoment } from "./next-send.ts";
import { OwnGate } from "./own-gate.ts";
import type { OwnLimitResult, TakeOwn } from "./own-limit.ts";
import type { QueuedRequest } from "./queued-request.ts";
import { WaitingLine } from "./waiting-line.ts";

export type SendingSettings = StateSettings & {
  /** The maximum number of requests under way at once. */
  readonly concurrency: number;
  /** Takes from the client's own limits; undefined if it has none. */
  readonly own: TakeOwn | undefined;
};

/** The maximum number of waiting requests that are sent in one turn of the event loop. */
const MOST_IN_TURN = 64;

const OWN = { cause: "own limit", unit: undefined, limit: undefined } as const;
/** Too many requests are under way, or a take from the client's own limits is in flight. */
const BUSY = { cause: "under way", unit: undefined, limit: undefined } as const;

/** The host that is sent to, and what is known of it. */
type SendTarget = {
  readonly name: string;
  readonly state: HostState;
  readonly routes: { readonly isOpen: boolean; readonly failing: string | undefined };
};

export class HostSender {
  readonly #target: SendTarget;
  readonly #settings: SendingSettings;
  readonly #own: OwnGate | undefined;
  readonly #line = new WaitingLine<QueuedRequest>();
  #inFlight = 0;
  #callOff: () => void = () => {};
  /**
   * Whether sending continues in a later turn of the event loop, because many were sent in this
   * one.
   */
  #isPutOff = false;

  constructor(target: SendTarget, settings: SendingSettings) {
    this.#target = target;
    this.#settings = settings;
    this.#own = settings.own && new OwnGate(settings.own, settings.scheduler);
  }

  /** The number of requests that wait. */
  get length(): number {
    return this.#line.length;
  }

  /** The number of requests that are under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The instant until which the client's own limits prevent sending; may be in the past. */
  get ownUntil(): number {
    return this.#own?.until ?? 0;
  }

  /** Why the client's own limits prevent sending now; `limited` if they do not. */
  get ownReason(): Reason {
    return this.#own !== undefined && this.#own.until > this.#now ? this.#own.reason : "limited";
  }

  join(turn: QueuedRequest): void {
    const wasEmpty = this.#line.length === 0;
    this.#line.join(turn);
    if (wasEmpty) this.#own?.resume();
    this.pump();
    if (this.#settings.onEvent !== undefined && this.#line.has(turn)) this.#sayWhy(turn);
  }

  leave(turn: QueuedRequest): void {
    if (this.#line.leave(turn)) this.pump();
  }

  /**
   * Records that a request is no longer under way. Call `pump` once the host's state has its
   * result.
   */
  returned(): void {
    this.#inFlight--;
  }

  /** Sends all requests that may be sent now, and sets a timer for the next one. */
  pump(): void {
    if (this.#isPutOff) return;
    this.#callOff();
    this.#rest();
    let left = MOST_IN_TURN;
    while (this.#own === undefined || !this.#own.isAskingFor(this.#line.length)) {
      const first = this.#first;
      const now = this.#now;
      const inFlight = this.#inFlight + (this.#own?.asking ?? 0);
      if (first === undefined || inFlight >= this.#settings.concurrency) return;
      const { state } = this.#target;
      const isFull = state.underWay.isFull(now, inFlight);
      const wait = isFull ? state.underWay.untilMore(now) : this.#wait;
      if (wait === undefined) return;
      if (wait > 0) {
        this.#callOff = this.#settings.scheduler.alarm(Math.ceil(wait), () => this.pump());
        return;
      }
      if (left-- === 0) {
        this.#putOff();
        return;
      }
      if (first.isOver) this.#line.leave(first);
      else if (this.#own === undefined) this.#send(first, undefined);
      else this.#askOwn(this.#own, first);
    }
  }

  #putOff(): void {
    this.#isPutOff = true;
    this.#settings.scheduler.afterTurn(() => {
      this.#isPutOff = false;
      this.pump();
    });
  }

  get #now(): number {
    return this.#settings.scheduler.elapsed();
  }

  /** Milliseconds until the next request may be sent; 0 or less if it may be sent now. */
  get #wait(): number {
    return Math.max((this.#own?.from ?? 0) - this.#now, this.#stateWait);
  }

  /** The same wait without the client's own limits. */
  get #stateWait(): number {
    return this.#target.state.next.wait(this.#moment);
  }

  get #moment(): SendMoment & { readonly counts: Counts | undefined } {
    const waiting = this.#line.length + this.#inFlight;
    return { now: this.#now, waiting, counts: this.#first?.counts };
  }

  /**
   * The request that goes first. If other routes would show whether only the failing route is at
   * fault, one of them is preferred.
   */
  get #first(): QueuedRequest | undefined {
    const { state, routes } = this.#target;
    const end = state.health.isTooLate ? "newest" : "oldest";
    const isOpen = state.health.isPaused || routes.isOpen;
    return isOpen ? this.#line.firstBut(routes.failing, end) : this.#line.first(end);
  }

  /** Returns the request that goes next. Removes those whose caller has aborted them. */
  #next(): QueuedRequest | undefined {
    let next = this.#first;
    for (; next?.isOver; next = this.#first) this.#line.leave(next);
    return next;
  }

  #send(turn: QueuedRequest, release: (() => void) | undefined): void {
    const { name, state } = this.#target;
    this.#line.send(turn);
    this.#rest();
    this.#inFlight++;
    if (turn.waits !== undefined) {
      const { cause, unit, limit, since } = turn.waits;
      const waited = { host: name, cause, unit, limit, waited: this.#now - since };
      notify(this.#settings.onEvent, { type: "waited", ...waited });
    }
    turn.go({ start: state.sent(turn, this.#now), release });
  }

  /** Reports why a new request waits: for the same reason as the request that goes next. */
  #sayWhy(turn: QueuedRequest): void {
    const { name, state } = this.#target;
    const own = (this.#own?.from ?? 0) - this.#now;
    const why = state.next.why(this.#moment);
    const isOwn = own > 0 && own > (why?.wait ?? 0);
    const reason = isOwn ? { wait: own, ...OWN } : (why ?? { wait: 0, ...BUSY });
    turn.waits = { ...reason, since: this.#now };
    notify(this.#settings.onEvent, { type: "waiting", host: name, ...reason });
  }

  #askOwn(own: OwnGate, first: QueuedRequest): void {
    let isNow = true;
    // If the result arrives synchronously, the running `pump` continues by itself.
    const goOn = () => {
      if (!isNow) this.pump();
    };
    own.ask(this.#target.name, {
      taken: (taken) => {
        this.#allowed(own, taken);
        goOn();
      },
      delayed: (taken) => this.#delayed(taken),
      failed: (error) => {
        if (this.#line.leave(first)) first.fail(error);
        goOn();
      },
    });
    isNow = false;
  }

  /** Refuses the requests whose deadline ends before the admitted start. */
  #delayed({ decision }: OwnLimitResult): void {
    const { retryAfter } = decision;
    const at = this.#now + retryAfter;
    for (let next = this.#next(); next !== undefined && at > next.deadline; next = this.#next()) {
      this.#line.leave(next);
      next.refuse(refused(decision, { reason: "limited" }));
    }
    this.#rest();
  }

  /** Stops the gate's timers if no request waits. */
  #rest(): void {
    if (this.#line.length === 0) this.#own?.pause();
  }

  /**
   * Handles the result of a take. The request that caused it may have left the queue; then the next
   * request is sent. Or the server may have named a wait, so that leases are given back.
   */
  #allowed(own: OwnGate, taken: OwnLimitResult): void {
    const { decision, wait } = taken;
    const next = this.#next();
    if (next === undefined || (decision.ok && this.#stateWait > 0)) {
      if (decision.ok) taken.release?.();
    } else if (decision.ok) {
      const release = own.givingBack(taken, () => this.pump());
      this.#send(next, release);
    } else if (this.#now + wait > next.deadline) {
      this.#line.leave(next);
      next.refuse(decision);
    } else own.hold(taken);
  }
}
