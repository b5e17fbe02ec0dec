import {
  AbortListeners,
  type Priority,
  Slices,
  type StopSignal,
  safeSignal,
} from "../internal/index.ts";
import type { Clock, Random, Scheduler } from "../limits/core/index.ts";
import type { AdmissionTally } from "./admission-tally.ts";
import { Cohorts } from "./cohorts.ts";
import type { CapEstimator } from "./estimators/cap-estimator.ts";
import { Overload } from "./estimators/overload.ts";
import type { ShedCause } from "./events.ts";
import { type FlightEntry, InFlight } from "./in-flight.ts";
import type { Admission, Outcome, Shedder, ShedderStats, Work } from "./shedder.ts";
import type { Signal } from "./signal.ts";
import { TurnSlice } from "./turn-slice.ts";
import type { QueuedWork } from "./wait-queue.ts";
import { Waiters } from "./waiters.ts";
import { WakeTimer } from "./wake-timer.ts";
import { knownWork } from "./work.ts";

/** The checked settings of an adaptive shedder; see its options. All times are milliseconds. */
export type AdaptiveSettings = {
  readonly name: string;
  readonly tally: AdmissionTally;
  /** Never throws. */
  readonly gate: Signal;
  readonly threshold: number;
  /** Never throws. */
  readonly cap: CapEstimator;
  /** Never throws. Undefined if nothing bounds work in flight and held together. */
  readonly mostWithHeld: Signal | undefined;
  readonly target: number;
  readonly interval: number;
  readonly maxWaiting: number;
  readonly window: number;
  readonly slice: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  /** The secret of the cohort hash. If undefined, anyone can compute a cohort. */
  readonly secret: string | undefined;
};

type PendingWork = QueuedWork & {
  readonly answer: (admission: Admission) => void;
  readonly signal: StopSignal | undefined;
};

/** Receives the admission of waiting work. Its signal can withdraw the work. */
type AdmissionReceiver = {
  readonly resolve: (admission: Admission) => void;
  readonly signal: StopSignal | undefined;
};

/** The number of windows without a call after which earlier measurements no longer count. */
const SILENCE = 4;

/** Starts work, queues it, or refuses it; see `adaptiveShedder`. */
export class AdaptiveShedder implements Shedder {
  readonly name: string;
  readonly #settings: AdaptiveSettings;
  readonly #cohorts: Cohorts;
  readonly #overload: Overload;
  readonly #waiters = new Waiters<PendingWork>();
  readonly #turn: TurnSlice;
  readonly #wake: WakeTimer;
  readonly #inFlight = new InFlight();
  readonly #signals: AbortListeners;
  #isBusy = false;
  /** Whether the capacity was reached in this window. */
  #wasFull = false;
  #lastAsk: number;

  constructor(settings: AdaptiveSettings) {
    const { scheduler } = settings;
    this.name = settings.name;
    this.#settings = settings;
    this.#lastAsk = scheduler.elapsed();
    this.#cohorts = new Cohorts(settings);
    this.#overload = new Overload({ ...settings, started: this.#lastAsk });
    this.#turn = new TurnSlice({ ...settings, startNext: () => this.#startNext() });
    this.#wake = new WakeTimer(scheduler, () => this.#lookAgain());
    this.#signals = new AbortListeners(new Slices(scheduler));
  }

  admit(work: Work = {}): Admission | Promise<Admission> {
    const { tally, scheduler, cap } = this.#settings;
    const { priority, cohort, deadline, exempt, signal } = knownWork(work, tally);
    if (exempt) return tally.exempt(priority, cap.cap);
    if (signal?.aborted) return this.#refuse(priority, "withdrawn");
    if (deadline === 0) return this.#refuse(priority, "late");
    const now = scheduler.elapsed();
    this.#wakeUp(now);
    const level = this.#cohorts.levelOf({ priority, cohort });
    this.#overload.asked(level);
    this.#measure(now);
    // Critical work is never put on standby. If it can't start at once, it is queued, up to
    // `maxWaiting`.
    const isStandby = priority !== "critical" && !this.#overload.admits(level);
    // Called for every piece of work, because the slice must know of each request.
    const hasTime = this.#turn.hear(now);
    if (!isStandby && hasTime && this.#hasRoom()) return this.#start(priority, now);
    return this.#wait({ priority, level, since: now, until: now + deadline, isStandby }, signal);
  }

  stats(): ShedderStats {
    const { admitted, shed } = this.#settings.tally;
    return {
      admitted,
      shed,
      inFlight: this.#inFlight.count,
      held: this.#inFlight.held,
      waiting: this.#waiters.length,
      capacity: this.#settings.cap.cap,
      share: this.#overload.share,
    };
  }

  /** Whether the queue is empty and the capacity is not reached. */
  #hasRoom(): boolean {
    return this.#waiters.inLine === 0 && !this.#noteFull();
  }

  /** Whether the capacity is reached. If so, records it for the window. */
  #noteFull(): boolean {
    const { count, held } = this.#inFlight;
    const { cap, mostWithHeld } = this.#settings;
    const isFull =
      count >= cap.cap ||
      (mostWithHeld !== undefined && count + held >= (mostWithHeld() ?? Number.POSITIVE_INFINITY));
    this.#wasFull ||= isFull;
    return isFull;
  }

  /** Forgets an overload if several windows had no calls and no work is left. */
  #wakeUp(now: number): void {
    const silence = now - this.#lastAsk;
    this.#lastAsk = now;
    if (silence < SILENCE * this.#settings.window) return;
    const isCalm = !this.#overload.isOn && this.#overload.share === 1;
    if (this.#inFlight.count > 0 || this.#waiters.length > 0 || isCalm) return;
    this.#overload.forget(now);
    this.#settings.tally.overloaded(false);
  }

  #start(priority: Priority, now: number): Admission {
    const flight = this.#inFlight.start(now);
    const { tally } = this.#settings;
    return tally.admit(priority, this.#numbers(0), (outcome) => this.#end(outcome, flight));
  }

  #end(outcome: Outcome, flight: FlightEntry): void {
    const now = this.#settings.scheduler.elapsed();
    const inFlight = this.#inFlight.count;
    const isServed = outcome === "served";
    const wasCounted = this.#inFlight.end(flight, { now, isServed });
    if (wasCounted) this.#overload.ended();
    if (wasCounted && isServed) {
      this.#settings.cap.learn({ started: flight.started, ended: now, inFlight });
    }
    this.#measure(now);
    if (this.#waiters.length > 0) this.#turn.serveSoon();
  }

  #refuse(priority: Priority, cause: ShedCause): Admission {
    const { tally, window, random } = this.#settings;
    // Refused callers should not all retry at the same time.
    const retryAfter = Math.ceil(window * (2 + 2 * random()));
    return tally.refuse(priority, this.#numbers(retryAfter), { cause });
  }

  #numbers(retryAfter: number) {
    const { cap: capacity } = this.#settings.cap;
    return { capacity, remaining: capacity - this.#inFlight.count, retryAfter };
  }

  #wait(queued: QueuedWork, signal: StopSignal | undefined): Admission | Promise<Admission> {
    if (!queued.isStandby && this.#waiters.inLine >= this.#settings.maxWaiting) {
      const other = this.#waiters.takeLessThan(queued.priority);
      this.#overload.waited();
      if (other === undefined) return this.#refuse(queued.priority, "full");
      other.answer(this.#refuse(other.priority, "full"));
    }
    return new Promise((resolve) => this.#add(queued, { resolve, signal }));
  }

  #add(queued: QueuedWork, { resolve, signal: given }: AdmissionReceiver): void {
    const signal = given && safeSignal(given);
    const answer = (admission: Admission) => {
      unlisten?.();
      resolve(admission);
    };
    const pending = { ...queued, answer, signal };
    const withdraw = () => {
      // The caller gave up while the work waited. This counts as lost work, like a missed deadline.
      if (this.#waiters.remove(pending)) this.#drop(pending, "withdrawn");
      this.#rest();
    };
    const unlisten = signal && this.#signals.onAbort(signal, withdraw);
    const other = this.#waiters.add(pending);
    other?.answer(this.#refuse(other.priority, "share"));
    this.#turn.serveSoon();
    this.#watch(queued.since);
    if (signal?.aborted) withdraw();
  }

  /** Checks again soon, even if nothing else happens: work in flight may hang. */
  #watch(now: number): void {
    this.#wake.by(Math.min(now + this.#settings.target, this.#waiters.earliest));
  }

  #lookAgain(): void {
    const now = this.#settings.scheduler.elapsed();
    this.#measure(now);
    this.#refuseOverdue(now);
    this.#inFlight.findHeld(now, { isFull: this.#noteFull() });
    if (this.#waiters.length === 0) return;
    this.#turn.serveSoon();
    this.#watch(now);
  }

  #startNext(): boolean {
    const now = this.#settings.scheduler.elapsed();
    this.#refuseOverdue(now);
    const next = this.#noteFull() ? undefined : this.#waiters.takeNext(this.#overload.border);
    this.#rest();
    if (next === undefined) return false;
    // If many withdraw at once, some may still be queued.
    if (next.signal?.aborted) this.#drop(next, "withdrawn");
    else next.answer(this.#start(next.priority, now));
    return true;
  }

  /** Refuses work whose deadline has passed, and work that has waited too long. */
  #refuseOverdue(now: number): void {
    for (const late of this.#waiters.takeLate(now)) this.#drop(late, "late");
    const { target, interval } = this.#settings;
    const { border } = this.#overload;
    for (const old of this.#waiters.takeStandbyBefore(now - target)) this.#drop(old, "share");
    if (border !== undefined) {
      const waited = this.#waiters.takeBefore({ since: now - target, border });
      for (const old of waited) this.#drop(old, "waited");
    }
    if (!this.#isBusy && !this.#noteFull()) return;
    // The client also waits while the work runs, which sometimes takes twice the usual time.
    const longest = Math.max(target, interval - 2 * this.#inFlight.latency);
    for (const old of this.#waiters.takeForThoseBefore(now - longest)) this.#drop(old, "waited");
    for (const old of this.#waiters.takeCriticalBefore(now - interval)) this.#drop(old, "waited");
  }

  /** Stops the timer if no work waits. */
  #rest(): void {
    if (this.#waiters.length === 0) this.#wake.stop();
  }

  #drop({ priority, isStandby, answer }: PendingWork, cause: ShedCause): void {
    if (!isStandby) this.#overload.waited();
    answer(this.#refuse(priority, cause));
  }

  /** Ends the window, if it is over, and learns from it. */
  #measure(now: number): void {
    if (!this.#overload.isWindowOver(now)) return;
    const { gate, threshold, cap, tally } = this.#settings;
    const utilization = gate();
    // If the signal has no value, the process counts as busy: then only long waits show an
    // overload.
    this.#isBusy = utilization === undefined || utilization >= threshold;
    if (utilization !== undefined && utilization > 1) cap.backOff();
    const isSaturated = this.#isBusy || this.#wasFull;
    this.#wasFull = this.#noteFull();
    this.#inFlight.findHeld(now, { isFull: this.#wasFull });
    this.#overload.endWindow({ now, delay: this.#delayAt(now), isSaturated });
    tally.overloaded(this.#overload.isOn);
  }

  /** Returns the longest wait in the queue as a multiple of `target`; 0 if the queue is empty. */
  #delayAt(now: number): number {
    return (now - (this.#waiters.oldest ?? now)) / this.#settings.target;
  }
}
