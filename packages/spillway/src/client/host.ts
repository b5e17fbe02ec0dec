/** One host: who waits to be sent there, how fast, and what is known of it. */
import type { Decision, Random, Reason, Scheduler } from "../core/index.ts";
import { notify } from "../internal/index.ts";
import { AcceptRatio, PRIORITIES, type Priority } from "../shedding/index.ts";
import { Breaker, type BreakerSettings } from "../store/index.ts";
import type { Advice } from "./advice/advice.ts";
import type { OnClientEvent } from "./events.ts";
import { Credit } from "./pace/credit.ts";
import { RecentRate } from "./pace/learned-rate.ts";
import { Pace } from "./pace/pace.ts";
import type { Outcome } from "./retry/outcome.ts";
import { type Waiting, WaitingLine } from "./waiting.ts";

/** What all hosts of a client share. */
export type HostSettings = {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly breaker: BreakerSettings;
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** The most requests that wait. */
  readonly maxWaiting: number;
  readonly pacing: boolean;
  readonly onEvent: OnClientEvent | undefined;
  /** Takes a unit of the client's own limit; undefined where it has none. */
  readonly own: ((host: string) => Decision | Promise<Decision>) | undefined;
};

/** A request that waits to be sent. */
export type Turn = Waiting & {
  /** Until when it waits, by the scheduler's clock. */
  readonly deadline: number;
  /** It may be sent now. */
  go(): void;
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
/** Failures in the last seconds, from which on a client refuses itself what would fail. */
const FAILURES = 10;
const RATIO = { k: 2, window: 30_000 };
/** Those who receive the same wait don't come back at the same instant: a part of it, and at most so much. */
const SPREAD = 0.1;
const LONGEST_SPREAD = 1000;

export class Host {
  readonly name: string;
  readonly #settings: HostSettings;
  readonly #pace: Pace;
  readonly #credit: Credit;
  readonly #breaker: Breaker;
  readonly #ratios: ReadonlyMap<Priority, AcceptRatio>;
  readonly #failures: RecentRate;
  readonly #line = new WaitingLine<Turn>();
  #inFlight = 0;
  /** Nothing is sent before. */
  #hold = 0;
  #heldFor: Reason = "limited";
  /** What is known of the host is good for so many at once. */
  #most = FIRST_CONTACT;
  /** What was answered, in requests a millisecond, before it began to fail. */
  #before: number | undefined;
  #isAsking = false;
  #callOff: () => void = () => {};

  constructor(name: string, settings: HostSettings) {
    const now = settings.scheduler.elapsed();
    this.name = name;
    this.#settings = settings;
    this.#pace = new Pace(now);
    this.#credit = new Credit(now, settings.random());
    this.#breaker = new Breaker(settings.breaker, settings.scheduler.elapsed);
    this.#ratios = new Map(PRIORITIES.map((priority) => [priority, new AcceptRatio(RATIO)]));
    this.#failures = new RecentRate(now);
  }

  /** Whether nobody waits for it, and nothing is under way. */
  get isIdle(): boolean {
    return this.#line.length === 0 && this.#inFlight === 0;
  }

  /** What is known of it. */
  get pace(): Pace {
    return this.#pace;
  }

  /**
   * Waits in line. Calls one of the turn's functions, once; `leave` it where nobody wants it any more.
   */
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
    return this.#isInVain(priority, now) ? "shed" : undefined;
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
    const least = this.#pace.standings.toSorted((one, other) => one.spare - other.spare)[0];
    const { rate } = this.#pace.speed(now, this.#line.length);
    const queue = rate > 0 && rate < Number.POSITIVE_INFINITY ? this.#line.length / rate : 0;
    const shortest = reason === "shed" ? this.#settings.breaker.pause : 1;
    const retryAfter = Math.ceil(Math.max(shortest, this.#from(now) - now, queue));
    return {
      ok: false,
      limit: this.name,
      capacity: least?.capacity ?? 0,
      remaining: Math.floor(least?.spare ?? 0),
      retryAfter,
      resetAfter: Math.max(retryAfter, Math.ceil((least?.back?.late ?? now) - now)),
      reason,
      degraded: undefined,
    };
  }

  /** Why nothing is sent now. */
  get #reason(): Reason {
    if (this.#breaker.pauseLeft() > 0) return "unavailable";
    return this.#hold > this.#now ? this.#heldFor : "limited";
  }

  get #now(): number {
    return this.#settings.scheduler.elapsed();
  }

  #served(priority: Priority, now: number): void {
    this.#pace.served(now);
    this.#ratios.get(priority)?.accepted(now);
    this.#most = Number.POSITIVE_INFINITY;
    const wasOpen = this.#breaker.succeeded();
    if (wasOpen && this.#before !== undefined) this.#pace.resume(now, this.#before);
    this.#before = undefined;
    if (wasOpen) notify(this.#settings.onEvent, { type: "resumed", host: this.name });
  }

  /** @param paced How fast was sent; undefined where that was before anything was known. */
  #notServed({ outcome, sent, status, wait }: Sent, paced: number | undefined): void {
    const now = this.#now;
    const isLesson = outcome !== "failed" && paced !== undefined;
    if (isLesson) this.#pace.refused(now, { sent, paced: paced || Number.POSITIVE_INFINITY });
    if (wait !== undefined) this.#holdFor(wait, outcome);
    if (outcome === "refused") {
      notify(this.#settings.onEvent, {
        type: "refused",
        host: this.name,
        status: status as number,
        wait: wait ?? 0,
      });
      this.#breaker.succeeded();
    } else this.#failed(now);
  }

  #failed(now: number): void {
    this.#failures.add(now);
    this.#before ??= this.#pace.servedRate(now);
    if (!this.#breaker.failed()) return;
    this.#most = 1;
    notify(this.#settings.onEvent, { type: "paused", host: this.name, ...this.#settings.breaker });
  }

  /** Nothing is sent for a time; then one request, before whose answer no other is. */
  #holdFor(wait: number, outcome: Outcome): void {
    const spread = Math.min(LONGEST_SPREAD, wait * SPREAD) * this.#settings.random();
    const until = this.#now + wait + spread;
    if (until <= this.#hold) return;
    this.#hold = until;
    this.#most = 1;
    this.#heldFor = outcome === "refused" ? "limited" : "unavailable";
  }

  /** Whether it fails so often that this request had better not be sent. */
  #isInVain(priority: Priority, now: number): boolean {
    const ratio = this.#ratios.get(priority) as AcceptRatio;
    if (this.#failures.count(now) < FAILURES) return false;
    const isInVain = this.#settings.random() < ratio.refusal(now);
    if (isInVain) ratio.asked(now);
    return isInVain;
  }

  /** From when on anything may be sent, as far as that is known. */
  #from(now: number): number {
    const speed = this.#settings.pacing ? this.#pace.speed(now, this.#line.length).from : 0;
    return Math.max(this.#hold, now + this.#breaker.pauseLeft(), speed);
  }

  #wait(now: number): number {
    const blocked = Math.max(this.#hold - now, this.#breaker.pauseLeft());
    if (!this.#settings.pacing) return blocked;
    const speed = this.#pace.speed(now, this.#line.length + this.#inFlight);
    return Math.max(blocked, this.#credit.wait(now, speed));
  }

  /** Sends who may be sent, and comes back when the next may. */
  #pump(): void {
    this.#callOff();
    while (!this.#isAsking) {
      const { first } = this.#line;
      const most = Math.min(this.#settings.concurrency, this.#most);
      if (first === undefined || this.#inFlight >= most) return;
      const wait = this.#wait(this.#now);
      if (wait > 0) {
        this.#callOff = this.#settings.scheduler.alarm(Math.ceil(wait), () => this.#pump());
        return;
      }
      if (this.#settings.own === undefined) this.#send(first);
      else this.#askOwn(this.#settings.own, first);
    }
  }

  #send(turn: Turn): void {
    this.#line.leave(turn);
    this.#credit.spend();
    this.#inFlight++;
    if (this.#breaker.permits() === "probe") this.#breaker.probing();
    this.#ratios.get(turn.priority)?.asked(this.#now);
    turn.go();
  }

  /** One asks at a time, so that nobody overtakes. */
  #askOwn(own: (host: string) => Decision | Promise<Decision>, first: Turn): void {
    this.#isAsking = true;
    const failed = (error: unknown) => {
      this.#isAsking = false;
      if (this.#line.leave(first)) first.fail(error);
      this.#pump();
    };
    try {
      const decision = own(this.name);
      if (decision instanceof Promise) {
        decision.then((decision) => {
          this.#allowed(decision, first);
          this.#pump();
        }, failed);
      } else this.#allowed(decision, first);
    } catch (error) {
      failed(error);
    }
  }

  #allowed(decision: Decision, asked: Turn): void {
    this.#isAsking = false;
    // Whoever asked may have left meanwhile: the unit is the next one's.
    const next = this.#line.first;
    if (decision.ok) {
      if (next !== undefined) this.#send(next);
    } else if (next !== undefined && this.#now + decision.retryAfter > next.deadline) {
      this.#line.leave(next);
      next.refuse(decision);
    } else if (next === asked || next !== undefined) this.#ownHold(decision);
  }

  #ownHold({ retryAfter, reason }: Decision): void {
    this.#hold = Math.max(this.#hold, this.#now + Math.max(1, retryAfter));
    this.#heldFor = reason ?? "limited";
  }
}
