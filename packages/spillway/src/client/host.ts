/** One host: who waits to be sent there, and when the next one is. */

import type { ReadableHeaders } from "../http/advice/index.ts";
import { ServerClock, type Span } from "../http/advice/index.ts";
import { notify } from "../internal/index.ts";
import type { Decision, Reason } from "../limits/core/index.ts";
import type { Priority } from "../shedding/index.ts";
import type { WaitReason } from "./events.ts";
import {
  HostState,
  type Memory,
  type Moment,
  type Sent,
  type StateSettings,
} from "./host-state.ts";
import { OwnGate } from "./own-gate.ts";
import type { Taken, TakeOwn } from "./own-limit.ts";
import type { Start } from "./pace/starts.ts";
import { Routes } from "./routes/routes.ts";
import type { Counts } from "./units/counts.ts";
import { type Waiting, WaitingLine } from "./waiting.ts";

/** What all hosts of a client share. */
export type HostSettings = StateSettings & {
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** The most requests that wait. */
  readonly maxWaiting: number;
  /** Takes what the client's own limits ask for; undefined where it has none. */
  readonly own: TakeOwn | undefined;
};

/** That a request is sent now, and what is to be called when it and its answer's body are over. */
export type Permit = { readonly start: Start; readonly release: (() => void) | undefined };

/** A request that waits to be sent. */
export type Turn = Waiting & {
  /** Until when it waits, by the scheduler's clock. */
  readonly deadline: number;
  /** Whether nobody waits for it any more: it leaves, soon. */
  readonly isOver: boolean;
  /** It may be sent now. */
  go(permit: Permit): void;
  refuse(decision: Decision): void;
  fail(error: unknown): void;
  /** Why it waits, and since when; undefined where it does not, or where nobody wants to know. */
  waits?: WaitReason & { readonly since: number };
};

/** Requests that are sent in one turn of the event loop, of those that have waited. */
const MOST_IN_TURN = 64;

/** From so many milliseconds on it is another clock, and not the same one known better. */
const CLOCK_SET = 2000;

const OWN = { cause: "own limit", unit: undefined, limit: undefined } as const;
/** Too many are under way, or one's own limits are being asked. */
const BUSY = { cause: "under way", unit: undefined, limit: undefined } as const;

export class Host {
  readonly name: string;
  readonly #settings: HostSettings;
  readonly #state: HostState;
  readonly #own: OwnGate | undefined;
  readonly routes: Routes;
  /** The clock by which it names instants. */
  readonly #clock = new ServerClock();
  readonly #line = new WaitingLine<Turn>();
  #inFlight = 0;
  #callOff: () => void = () => {};
  /** Whether it goes on with sending in another turn of the event loop, for it has sent many in this one. */
  #isPutOff = false;

  constructor(name: string, settings: HostSettings) {
    this.name = name;
    this.#settings = settings;
    this.#state = new HostState(name, settings);
    this.#own = settings.own && new OwnGate(settings.own, settings.scheduler);
    // What the program itself limits is the host.
    this.routes = new Routes(
      (route) => new Host(`${name} ${route}`, { ...settings, own: undefined }),
    );
  }

  /** Whether nobody waits for it, and nothing is under way. */
  get isIdle(): boolean {
    return this.#line.length === 0 && this.#inFlight === 0 && this.routes.areIdle;
  }

  /** The instant until which nothing may be sent, as far as that is known; it may be over. */
  get heldUntil(): number {
    const state = this.#state.from({ now: this.#now, waiting: this.#line.length });
    return Math.max(state, this.#own?.until ?? 0);
  }

  /** The same, of it or of any of its routes. */
  get keptUntil(): number {
    return Math.max(this.heldUntil, this.routes.heldUntil);
  }

  /** Milliseconds that are left of what it has said to wait. */
  get saidLeft(): number {
    return this.#state.saidLeft(this.#now);
  }

  /** Waits in line. Calls one of the turn's functions, once; `leave` it where nobody wants it any more. */
  join(turn: Turn): void {
    this.#state.arrived(this.#now);
    const obstacle = this.#obstacle(turn);
    if (obstacle !== undefined) {
      turn.refuse(this.refusal(obstacle));
      return;
    }
    const wasEmpty = this.#line.length === 0;
    this.#line.join(turn);
    if (wasEmpty) this.#own?.resume();
    this.#pump();
    if (this.#settings.onEvent !== undefined && this.#line.has(turn)) this.#sayWhy(turn);
  }

  /** Why it had better not even wait. */
  #obstacle({ priority, deadline }: Turn): Reason | undefined {
    if (this.#line.length >= this.#settings.maxWaiting) return "shed";
    // Who does not wait at all has a deadline that is over when it is compared.
    if (this.heldUntil > Math.max(deadline, this.#now)) return this.#reason;
    return this.#state.isInVain(priority, this.#now) ? "shed" : undefined;
  }

  /** Its time is over, or nobody waits for it. */
  leave(turn: Turn): void {
    if (this.#line.leave(turn)) this.#pump();
  }

  /** What was sent has come back. */
  done(priority: Priority, sent: Sent): void {
    this.#inFlight--;
    this.#state.done(priority, sent, { now: this.#now, inFlight: this.#inFlight });
    this.#pump();
  }

  /** What was sent was broken off by whoever wanted it: that says nothing. */
  brokenOff(start: Start): void {
    this.#inFlight--;
    this.#state.brokenOff(start, this.#now);
    this.#pump();
  }

  /** The body of an answer is over; `used` where it has said that. */
  over(start: Start, used: Counts | undefined): void {
    this.#state.over(start, this.#now, used);
    this.#pump();
  }

  /** What this host answered to a request that another one had sent on to it. */
  heard(sent: Sent): void {
    this.#state.heard(sent, { now: this.#now, inFlight: this.#inFlight });
    this.#pump();
  }

  /** By how many milliseconds its clock is ahead of the own one, for an answer that does not say what time it is. */
  serverAhead(headers: ReadableHeaders, span: Span): number {
    const before = this.#clock.ahead;
    this.#clock.heard(headers, span);
    const { ahead } = this.#clock;
    // What was said of quotas was read by the wrong clock.
    if (Math.abs(ahead - before) > CLOCK_SET) this.#state.forgetQuotas();
    return ahead;
  }

  /** What is known of it now, for `goBackTo`. */
  get memory(): Memory {
    return this.#state.memory;
  }

  /** What was learnt since then is not of the host, but of one of its routes. */
  goBackTo(memory: Memory): void {
    this.#state.goBackTo(memory);
    this.#pump();
  }

  /** Why a request that waits is not sent now, as a decision. */
  refusal(reason: Reason = this.#reason): Decision {
    const now = this.#now;
    const shortest = reason === "shed" ? this.#settings.breaker.pause : 1;
    const wait = Math.max(shortest, this.heldUntil - now);
    return this.#state.refusal(reason, { now, wait, waiting: this.#line.length });
  }

  /** Why nothing is sent now. */
  get #reason(): Reason {
    const said = this.#state.reason(this.#now);
    if (said !== undefined) return said;
    return this.#own !== undefined && this.#own.until > this.#now ? this.#own.reason : "limited";
  }

  get #now(): number {
    return this.#settings.scheduler.elapsed();
  }

  /** Milliseconds until the next one may be sent. */
  get #wait(): number {
    return Math.max((this.#own?.from ?? 0) - this.#now, this.#stateWait);
  }

  /** The same by what is known of the host alone. */
  get #stateWait(): number {
    return this.#state.wait(this.#moment);
  }

  get #moment(): Moment & { readonly counts: Counts | undefined } {
    const waiting = this.#line.length + this.#inFlight;
    return { now: this.#now, waiting, counts: this.#first?.counts };
  }

  /** Says why who has just come has to wait: for the same as who goes next. */
  #sayWhy(turn: Turn): void {
    const own = (this.#own?.from ?? 0) - this.#now;
    const why = this.#state.why(this.#moment);
    const isOwn = own > 0 && own > (why?.wait ?? 0);
    const reason = isOwn ? { wait: own, ...OWN } : (why ?? { wait: 0, ...BUSY });
    turn.waits = { ...reason, since: this.#now };
    notify(this.#settings.onEvent, { type: "waiting", host: this.name, ...reason });
  }

  /** Sends who may be sent, and comes back when the next may. */
  #pump(): void {
    if (this.#isPutOff) return;
    this.#callOff();
    this.#rest();
    let left = MOST_IN_TURN;
    while (this.#own === undefined || !this.#own.isAskingFor(this.#line.length)) {
      const first = this.#first;
      const now = this.#now;
      const inFlight = this.#inFlight + (this.#own?.asking ?? 0);
      if (first === undefined || inFlight >= this.#settings.concurrency) return;
      const isFull = this.#state.isFull({ now, inFlight });
      const wait = isFull ? this.#state.untilMore(now) : this.#wait;
      if (wait === undefined) return;
      if (wait > 0) {
        this.#callOff = this.#settings.scheduler.alarm(Math.ceil(wait), () => this.#pump());
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
      this.#pump();
    });
  }

  /** Who goes next, of those that are wanted still. */
  #next(): Turn | undefined {
    let next = this.#first;
    for (; next?.isOver; next = this.#first) this.#line.leave(next);
    return next;
  }

  /** Who is first: not what has just failed, where another route would show whether it is that one alone. */
  get #first(): Turn | undefined {
    const isOpen = this.#state.isProbed || this.routes.isOpen;
    const end = this.#state.isTooLate ? "newest" : "oldest";
    return isOpen ? this.#line.firstBut(this.routes.failing, end) : this.#line.first(end);
  }

  #send(turn: Turn, release: (() => void) | undefined): void {
    this.#line.send(turn);
    this.#rest();
    this.#inFlight++;
    if (turn.waits !== undefined) {
      const { cause, unit, limit, since } = turn.waits;
      const waited = { host: this.name, cause, unit, limit, waited: this.#now - since };
      notify(this.#settings.onEvent, { type: "waited", ...waited });
    }
    turn.go({ start: this.#state.sent(turn, this.#now), release });
  }

  #askOwn(own: OwnGate, first: Turn): void {
    let isNow = true;
    // What is answered at once is gone on with by whoever pumps.
    const goOn = () => {
      if (!isNow) this.#pump();
    };
    own.ask(this.name, {
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

  /** The next one is sent later: who does not wait for so long is refused now. */
  #delayed({ decision }: Taken): void {
    const { retryAfter } = decision;
    const at = this.#now + retryAfter;
    for (let next = this.#next(); next !== undefined && at > next.deadline; next = this.#next()) {
      this.#line.leave(next);
      next.refuse({ ...decision, ok: false, reason: "limited" });
    }
    this.#rest();
  }

  /** Nobody waits: no timer is needed. */
  #rest(): void {
    if (this.#line.length === 0) this.#own?.pause();
  }

  /** Meanwhile whoever asked may have left, so that it is the next one's turn, or the server has said to wait. */
  #allowed(own: OwnGate, taken: Taken): void {
    const { decision, wait } = taken;
    const next = this.#next();
    if (next === undefined || (decision.ok && this.#stateWait > 0)) {
      if (decision.ok) taken.release?.();
    } else if (decision.ok) {
      const release = own.givingBack(taken, () => this.#pump());
      this.#send(next, release);
    } else if (this.#now + wait > next.deadline) {
      this.#line.leave(next);
      next.refuse(decision);
    } else own.hold(taken);
  }
}
