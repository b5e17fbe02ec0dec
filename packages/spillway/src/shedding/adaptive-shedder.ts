import type { Clock, Later, Random } from "../core/index.ts";
import { AdaptiveWindow } from "./adaptive-window.ts";
import { Census } from "./census.ts";
import type { CapEstimator } from "./estimators/concurrency-cap.ts";
import { LoadShare, type LoadWindow } from "./estimators/load-share.ts";
import type { Cause } from "./events.ts";
import type { Priority } from "./priority.ts";
import { Reserve, type Spare } from "./reserve.ts";
import type { Admission, Outcome, Shedder, ShedderStats, Work } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { admission, type Tally } from "./tally.ts";
import { type Waiting, WaitQueue } from "./wait-queue.ts";
import { checkWork } from "./work.ts";

/** What an adaptive shedder works with; all times are milliseconds. */
export type AdaptiveSettings = {
  readonly name: string;
  readonly tally: Tally;
  /** Cannot fail. */
  readonly gate: Signal;
  /** From which utilization on the gate is hot. */
  readonly hot: number;
  readonly cap: CapEstimator;
  /** How long work may wait while more comes than is served. */
  readonly target: number;
  /** For how long the queue has to stand before that is so. */
  readonly interval: number;
  /** The most that may wait. */
  readonly maxWaiting: number;
  /** How long is measured before anything is changed. */
  readonly window: number;
  /** After its making, nothing is refused for so long but what is late. */
  readonly startup: number;
  /** How long work is started in one turn of the event loop before others are heard. */
  readonly slice: number;
  readonly later: Later;
  readonly clock: Clock;
  readonly random: Random;
};

type Waiter = Waiting & Spare & { readonly answer: (admission: Admission) => void };

/** Microtasks until what was admitted has surely begun: some wrappers around an `await` deep. */
const HOPS = 4;

/**
 * Starts work as it can be served, holds back for a moment what is too much, and refuses, by priority,
 * what would only wait; see `adaptiveShedder`.
 */
export class AdaptiveShedder implements Shedder {
  readonly name: string;
  readonly #settings: AdaptiveSettings;
  readonly #tally: Tally;
  readonly #census: Census;
  readonly #cap: CapEstimator;
  readonly #share = new LoadShare();
  readonly #queue = new WaitQueue<Waiter>();
  readonly #reserve = new Reserve<Waiter>();
  readonly #born: number;
  #window: AdaptiveWindow;
  #lastWindow: AdaptiveWindow;
  #inFlight = 0;
  #isHot = false;
  #isOverloaded = false;
  /** Since when work has waited for longer than it should, if it does. */
  #standing: number | undefined;
  /** When this turn of the event loop began, if anything has been asked in it. */
  #turn: number | undefined;
  #isServing = false;
  #isTicking = false;

  constructor(settings: AdaptiveSettings) {
    this.name = settings.name;
    this.#settings = settings;
    this.#tally = settings.tally;
    this.#census = new Census(settings.random);
    this.#cap = settings.cap;
    this.#born = settings.later.elapsed();
    this.#window = new AdaptiveWindow(this.#born);
    this.#lastWindow = this.#window;
  }

  admit(work: Work = {}): Admission | Promise<Admission> {
    checkWork(work);
    const { priority = "normal", cohort, deadline = Number.POSITIVE_INFINITY, exempt } = work;
    if (exempt) return this.#exempt(priority);
    const now = this.#settings.later.elapsed();
    const level = this.#census.levelOf(priority, cohort, this.#settings.clock());
    this.#census.add(level);
    this.#window.asked++;
    this.#roll(now);
    const place = { priority, level, since: now, until: now + deadline };
    if (!this.#census.keeps(level)) return this.#spare(place);
    if (this.#hasRoom(now)) return this.#start(priority, now);
    return this.#wait(place);
  }

  stats(): ShedderStats {
    return {
      admitted: this.#tally.admitted,
      shed: this.#tally.shed,
      inFlight: this.#inFlight,
      waiting: this.#queue.length,
      capacity: this.#cap.cap,
      share: this.#share.share,
    };
  }

  #exempt(priority: Priority): Admission {
    const numbers = { limit: this.name, capacity: this.#cap.cap, remaining: 0, retryAfter: 0 };
    const yes = { ok: true, resetAfter: 0, reason: undefined, degraded: undefined };
    return admission({ ...numbers, ...yes }, priority, () => {});
  }

  /** Whether work can start at once: nothing waits, and this turn has not been busy for long. */
  #hasRoom(now: number): boolean {
    const { later, slice } = this.#settings;
    if (this.#turn === undefined) {
      this.#turn = now;
      later.afterTurn(() => {
        this.#turn = undefined;
      });
    }
    if (this.#inFlight >= this.#cap.cap) return false;
    return this.#queue.length === 0 && now - this.#turn < slice;
  }

  #start(priority: Priority, now: number): Admission {
    this.#inFlight++;
    return this.#tally.admit(priority, this.#numbers(0), (outcome) => this.#end(outcome, now));
  }

  #end(outcome: Outcome, started: number): void {
    const now = this.#settings.later.elapsed();
    if (outcome === "served") {
      this.#window.served++;
      this.#cap.learn({ started, ended: now, inFlight: this.#inFlight });
    }
    this.#inFlight--;
    this.#roll(now);
    if (this.#isAnyWaiting()) this.#serveSoon();
  }

  #isAnyWaiting(): boolean {
    return this.#queue.length > 0 || this.#reserve.length > 0;
  }

  #refuse(priority: Priority, cause: Cause): Admission {
    // Whoever is refused now should not come back all at once.
    const retryAfter = Math.ceil(this.#settings.window * (2 + 2 * this.#settings.random()));
    return this.#tally.refuse(priority, this.#numbers(retryAfter), cause);
  }

  #numbers(retryAfter: number) {
    const { cap } = this.#cap;
    return { capacity: cap, remaining: cap - this.#inFlight, retryAfter };
  }

  /** There is no room for it: it is started only if nothing else waits. */
  #spare(place: Waiting & Spare): Promise<Admission> {
    return new Promise((answer) => {
      const other = this.#reserve.add({ ...place, answer });
      other?.answer(this.#refuse(other.priority, "share"));
      this.#serveSoon();
      this.#tick();
    });
  }

  #wait(place: Waiting & Spare): Admission | Promise<Admission> {
    const isStarting = place.since - this.#born < this.#settings.startup;
    if (this.#queue.length >= this.#settings.maxWaiting && !isStarting) {
      const other = this.#queue.lessThan(place.priority);
      if (other === undefined) return this.#refuse(place.priority, "full");
      other.answer(this.#refuse(other.priority, "full"));
    }
    return new Promise((answer) => {
      this.#queue.add({ ...place, answer });
      this.#serveSoon();
      this.#tick();
    });
  }

  /** Starts what waits when this turn of the event loop is over: what else has come is read before. */
  #serveSoon(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    const { later, slice } = this.#settings;
    later.afterTurn(() => this.#serve(later.elapsed() + slice));
  }

  #serve(end: number): void {
    const now = this.#settings.later.elapsed();
    this.#look(now);
    const isFull = this.#inFlight >= this.#cap.cap;
    const next = isFull ? undefined : this.#nextUp();
    if (next === undefined) {
      this.#isServing = false;
      return;
    }
    next.answer(this.#start(next.priority, now));
    // What was started works at once: how long that took is seen once it has.
    afterHops(HOPS, () => {
      if (this.#settings.later.elapsed() < end) return this.#serve(end);
      this.#isServing = false;
      this.#serveSoon();
    });
  }

  #nextUp(): Waiter | undefined {
    return this.#queue.next(this.#census.border) ?? this.#reserve.take();
  }

  /** Looks at what waits while nothing else happens: work in flight may hang. */
  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    const { later, target } = this.#settings;
    later.afterDelay(target, () => {
      this.#isTicking = false;
      const now = later.elapsed();
      this.#roll(now);
      this.#look(now);
      if (this.#isAnyWaiting()) this.#tick();
    });
  }

  /** Sees whether too much waits, and refuses what has waited in vain. */
  #look(now: number): void {
    const { target, interval } = this.#settings;
    for (const { priority, answer } of this.#queue.late(now)) {
      this.#window.waited++;
      answer(this.#refuse(priority, "late"));
    }
    for (const { priority, answer } of this.#reserve.before(now - target)) {
      answer(this.#refuse(priority, "share"));
    }
    const { oldest = now } = this.#queue;
    if (now - oldest <= target) this.#standing = undefined;
    else this.#standing ??= now;
    const isLong = this.#standing !== undefined && now - this.#standing >= interval;
    const isStarting = now - this.#born < this.#settings.startup;
    const mayRefuse = !isStarting && (this.#isHot || this.#inFlight >= this.#cap.cap);
    if (isLong && mayRefuse && !this.#isOverloaded) this.#becomeOverloaded(now);
    for (const { priority, answer } of this.#queue.before(now - target, this.#census.border)) {
      this.#window.waited++;
      answer(this.#refuse(priority, "waited"));
    }
  }

  /** Ends the window, if it is over, and learns from it. */
  #roll(now: number): void {
    const window = this.#window;
    if (!window.isOver(now, this.#settings.window)) return;
    this.#lastWindow = window;
    this.#window = new AdaptiveWindow(now);
    const utilization = this.#settings.gate() ?? 0;
    this.#isHot = utilization >= this.#settings.hot;
    if (utilization > 1) this.#cap.press();
    this.#census.roll();
    this.#learnShare(window, now);
    if (this.#standing === undefined && this.#share.share === 1) this.#setOverloaded(false);
  }

  #becomeOverloaded(now: number): void {
    this.#setOverloaded(true);
    // This window may have just begun.
    const { asked, served, waited } = this.#lastWindow;
    const window = this.#window;
    const both = { asked: asked + window.asked, served: served + window.served };
    this.#learnShare({ ...both, waited: waited + window.waited }, now);
  }

  #learnShare({ asked, served, waited }: Omit<LoadWindow, "delay">, now: number): void {
    const delay = (now - (this.#queue.oldest ?? now)) / this.#settings.target;
    this.#share.learn({ asked, served, waited, delay }, this.#isOverloaded);
    this.#census.keep(this.#share.share);
  }

  #setOverloaded(isOverloaded: boolean): void {
    this.#isOverloaded = isOverloaded;
    this.#tally.overloaded(isOverloaded);
  }
}

function afterHops(hops: number, call: () => void): void {
  let promise = Promise.resolve();
  for (let hop = 1; hop < hops; hop++) promise = promise.then(() => {});
  promise.then(call);
}
