/** One host: who waits to be sent there, and when the next one is. */
import type { Decision, Reason } from "../core/index.ts";
import { notify } from "../internal/index.ts";
import type { Priority } from "../shedding/index.ts";
import type { Advice } from "./advice/advice.ts";
import { Health, type HealthSettings } from "./health.ts";
import { Hold } from "./hold.ts";
import { OwnGate } from "./own-gate.ts";
import type { Taken, TakeOwn } from "./own-limit.ts";
import { Credit } from "./pace/credit.ts";
import { Pace } from "./pace/pace.ts";
import { refusalOf } from "./refusal-of.ts";
import type { Outcome } from "./retry/outcome.ts";
import { type Waiting, WaitingLine } from "./waiting.ts";

/** What all hosts of a client share. */
export type HostSettings = HealthSettings & {
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** The most requests that wait. */
  readonly maxWaiting: number;
  readonly pacing: boolean;
  /** Takes what the client's own limits ask for; undefined where it has none. */
  readonly own: TakeOwn | undefined;
};

/** A request that waits to be sent. */
export type Turn = Waiting & {
  /** Until when it waits, by the scheduler's clock. */
  readonly deadline: number;
  /** It may be sent now; `release` is to be called when it and its answer's body are over. */
  go(release: (() => void) | undefined): void;
  refuse(decision: Decision): void;
  fail(error: unknown): void;
};

/** What came of a request that was sent. */
export type Sent = {
  readonly outcome: Outcome;
  readonly advice: Advice;
  readonly sent: number;
  readonly status: number | undefined;
  /** For how long nothing is to be sent; undefined where nobody says. */
  readonly wait: number | undefined;
};

/** Requests that are sent to a host of which nothing is known, before it has answered. */
const FIRST_CONTACT = 10;

export class Host {
  readonly name: string;
  readonly #settings: HostSettings;
  readonly #pace: Pace;
  readonly #credit: Credit;
  readonly #health: Health;
  readonly #hold: Hold;
  readonly #own: OwnGate | undefined;
  readonly #line = new WaitingLine<Turn>();
  #inFlight = 0;
  /** What is known of the host is good for so many at once. */
  #most = FIRST_CONTACT;
  #callOff: () => void = () => {};

  constructor(name: string, settings: HostSettings) {
    const now = settings.scheduler.elapsed();
    this.name = name;
    this.#settings = settings;
    this.#pace = new Pace(now);
    this.#credit = new Credit(now, settings.random());
    this.#health = new Health(name, settings);
    this.#hold = new Hold(settings.random);
    this.#own = settings.own && new OwnGate(settings.own, settings.scheduler);
  }

  /** Whether nobody waits for it, and nothing is under way. */
  get isIdle(): boolean {
    return this.#line.length === 0 && this.#inFlight === 0;
  }

  /** The instant until which nothing may be sent, as far as that is known; it may be over. */
  get heldUntil(): number {
    return this.#from(this.#now);
  }

  /** Waits in line. Calls one of the turn's functions, once; `leave` it where nobody wants it any more. */
  join(turn: Turn): void {
    const now = this.#now;
    this.#pace.arrived(now);
    const obstacle = this.#obstacle(turn, now);
    if (obstacle !== undefined) {
      turn.refuse(this.refusal(obstacle));
      return;
    }
    this.#line.join(turn);
    this.#pump();
  }

  /** Why it had better not even wait. */
  #obstacle({ priority, deadline }: Turn, now: number): Reason | undefined {
    if (this.#line.length >= this.#settings.maxWaiting) return "shed";
    if (this.#from(now) > deadline) return this.#reason;
    return this.#health.isInVain(priority, now) ? "shed" : undefined;
  }

  /** Its time is over, or nobody waits for it. */
  leave(turn: Turn): void {
    if (this.#line.leave(turn)) this.#pump();
  }

  /** What was sent has come back. */
  done(priority: Priority, sent: Sent): void {
    this.#inFlight--;
    const now = this.#now;
    const known = this.#pace.standings.length;
    // What it says of quotas is news: until now requests were sent at this speed.
    const { rate: paced } = this.#pace.paced(now, Number.POSITIVE_INFINITY);
    this.#pace.advised(sent.advice, { sent: sent.sent, received: now, inFlight: this.#inFlight });
    if (sent.outcome === "served") this.#served(priority, now);
    else this.#notServed(sent, known === 0 && sent.advice.quotas.length > 0 ? undefined : paced);
    this.#pump();
  }

  /** What was sent was broken off by whoever wanted it: that says nothing. */
  brokenOff(): void {
    this.#inFlight--;
    this.#pump();
  }

  /** What this host answered to a request that another one had sent on to it. */
  heard({ advice, outcome, sent, wait }: Sent): void {
    this.#pace.advised(advice, { sent, received: this.#now, inFlight: this.#inFlight });
    if (wait !== undefined) this.#holdFor(wait, outcome);
    this.#pump();
  }

  /** Why a request that waits is not sent now, as a decision. */
  refusal(reason: Reason = this.#reason): Decision {
    const now = this.#now;
    const shortest = reason === "shed" ? this.#settings.breaker.pause : 1;
    const wait = Math.max(shortest, this.#from(now) - now);
    const waiting = this.#line.length;
    return refusalOf({ name: this.name, pace: this.#pace, reason, now, wait, waiting });
  }

  /** Why nothing is sent now. */
  get #reason(): Reason {
    if (this.#health.pauseLeft > 0) return "unavailable";
    if (this.#hold.until > this.#now) return this.#hold.reason;
    return this.#own !== undefined && this.#own.until > this.#now ? this.#own.reason : "limited";
  }

  get #now(): number {
    return this.#settings.scheduler.elapsed();
  }

  #served(priority: Priority, now: number): void {
    this.#pace.served(now);
    this.#most = Number.POSITIVE_INFINITY;
    const before = this.#health.served(priority, now);
    if (before !== undefined) this.#pace.resume(now, before);
  }

  /** @param paced How fast was sent; undefined where that was before anything was known. */
  #notServed({ outcome, sent, status, wait }: Sent, paced: number | undefined): void {
    const now = this.#now;
    const isLesson = outcome !== "failed" && paced !== undefined;
    if (isLesson) this.#pace.refused(now, { sent, paced: paced || Number.POSITIVE_INFINITY });
    if (wait !== undefined) this.#holdFor(wait, outcome);
    if (outcome === "refused") {
      const refused = { host: this.name, status: status as number, wait: wait ?? 0 };
      notify(this.#settings.onEvent, { type: "refused", ...refused });
      this.#health.answered();
    } else if (this.#health.failed({ now, servedRate: this.#pace.servedRate(now) })) this.#most = 1;
  }

  /** Nothing is sent for a time; then one request, before whose answer no other is. */
  #holdFor(wait: number, outcome: Outcome): void {
    const reason = outcome === "refused" ? "limited" : "unavailable";
    if (this.#hold.say(this.#now, { wait, reason })) this.#most = 1;
  }

  /** By what the server has said, and by the client's own limits. */
  get #heldUntil(): number {
    return Math.max(this.#hold.until, this.#own?.until ?? 0);
  }

  /** From when on anything may be sent, as far as that is known. */
  #from(now: number): number {
    const speed = this.#settings.pacing ? this.#pace.speed(now, this.#line.length).from : 0;
    return Math.max(this.#heldUntil, now + this.#health.pauseLeft, speed);
  }

  #wait(now: number): number {
    const blocked = Math.max(this.#heldUntil - now, this.#health.pauseLeft);
    if (!this.#settings.pacing) return blocked;
    const speed = this.#pace.speed(now, this.#line.length + this.#inFlight);
    return Math.max(blocked, this.#credit.wait(now, speed));
  }

  /** Sends who may be sent, and comes back when the next may. */
  #pump(): void {
    this.#callOff();
    while (!this.#own?.isAsking) {
      const { first } = this.#line;
      const most = Math.min(this.#settings.concurrency, this.#most);
      if (first === undefined || this.#inFlight >= most) return;
      const wait = this.#wait(this.#now);
      if (wait > 0) {
        this.#callOff = this.#settings.scheduler.alarm(Math.ceil(wait), () => this.#pump());
        return;
      }
      if (this.#own === undefined) this.#send(first, undefined);
      else this.#askOwn(this.#own, first);
    }
  }

  #send(turn: Turn, release: (() => void) | undefined): void {
    this.#line.leave(turn);
    this.#credit.spend();
    this.#inFlight++;
    this.#health.sent(turn.priority, this.#now);
    turn.go(release);
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
      failed: (error) => {
        if (this.#line.leave(first)) first.fail(error);
        goOn();
      },
    });
    isNow = false;
  }

  /** Whoever asked may have left meanwhile: what was taken is the next one's, or given back. */
  #allowed(own: OwnGate, taken: Taken): void {
    const { decision, wait } = taken;
    const next = this.#line.first;
    if (next === undefined) {
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
