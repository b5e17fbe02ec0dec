import type { AdaptiveSettings } from "./adaptive-settings.ts";
import { Cohorts } from "./cohorts.ts";
import { Overload } from "./estimators/overload.ts";
import { StandingQueue } from "./estimators/standing-queue.ts";
import type { Cause } from "./events.ts";
import type { Priority } from "./priority.ts";
import type { Admission, Outcome, Shedder, ShedderStats, Work } from "./shedder.ts";
import { TurnSlice } from "./turn-slice.ts";
import type { QueuedWork } from "./wait-queue.ts";
import { Waiters } from "./waiters.ts";
import { Wake } from "./wake.ts";
import { checkWork } from "./work.ts";

type Pending = QueuedWork & { readonly answer: (admission: Admission) => void };

/** After so many windows without an ask, what was measured says nothing any more. */
const SILENCE = 4;

/** Starts work, holds it back, and refuses what would only wait; see `adaptiveShedder`. */
export class AdaptiveShedder implements Shedder {
  readonly name: string;
  readonly #settings: AdaptiveSettings;
  readonly #cohorts: Cohorts;
  readonly #overload: Overload;
  readonly #standing: StandingQueue;
  readonly #waiters = new Waiters<Pending>();
  readonly #turn: TurnSlice;
  readonly #wake: Wake;
  readonly #born: number;
  #inFlight = 0;
  #isHot = false;
  /** Whether the capacity was reached in this window. */
  #wasFull = false;
  #lastAsk: number;

  constructor(settings: AdaptiveSettings) {
    const { later } = settings;
    this.name = settings.name;
    this.#settings = settings;
    this.#born = later.elapsed();
    this.#lastAsk = this.#born;
    this.#cohorts = new Cohorts(settings);
    this.#overload = new Overload({ ...settings, started: this.#born });
    this.#standing = new StandingQueue(settings);
    this.#turn = new TurnSlice({ ...settings, startNext: () => this.#startNext() });
    this.#wake = new Wake(later, () => this.#lookAgain());
  }

  admit(work: Work = {}): Admission | Promise<Admission> {
    checkWork(work);
    const { priority = "normal", cohort, deadline = Number.POSITIVE_INFINITY, exempt } = work;
    if (exempt) return this.#settings.tally.exempt(priority, this.#settings.cap.cap);
    const now = this.#settings.later.elapsed();
    this.#wakeUp(now);
    const level = this.#cohorts.levelOf({ priority, cohort });
    this.#overload.asked(level);
    this.#measure(now);
    const isStandby = !this.#overload.admits(level);
    if (isStandby && this.#overload.isUnseen) return this.#refuse(priority, "share");
    if (!isStandby && this.#hasRoom(now)) return this.#start(priority, now);
    return this.#wait({ priority, level, since: now, until: now + deadline, isStandby });
  }

  stats(): ShedderStats {
    const { admitted, shed } = this.#settings.tally;
    return {
      admitted,
      shed,
      inFlight: this.#inFlight,
      waiting: this.#waiters.length,
      capacity: this.#settings.cap.cap,
      share: this.#overload.share,
    };
  }

  /**
   * Whether work can start at once: nothing is in line, and this turn has not been busy for long.
   */
  #hasRoom(now: number): boolean {
    // First, for the turn begins with the first ask.
    const hasTime = this.#turn.hasTime(now);
    return hasTime && this.#waiters.inLine === 0 && !this.#noteFull();
  }

  /** Whether as much is in flight as may be; notes it for the window. */
  #noteFull(): boolean {
    const isFull = this.#inFlight >= this.#settings.cap.cap;
    this.#wasFull ||= isFull;
    return isFull;
  }

  /** After a silence an overload is over, however it ended. */
  #wakeUp(now: number): void {
    const silence = now - this.#lastAsk;
    this.#lastAsk = now;
    if (silence < SILENCE * this.#settings.window) return;
    const isCalm = !this.#overload.isOn && this.#overload.share === 1;
    if (this.#inFlight > 0 || this.#waiters.length > 0 || isCalm) return;
    this.#overload.forget(now);
    this.#settings.tally.overloaded(false);
  }

  #isStarting(now: number): boolean {
    return now - this.#born < this.#settings.startup;
  }

  #start(priority: Priority, now: number): Admission {
    this.#inFlight++;
    const numbers = this.#numbers(0);
    return this.#settings.tally.admit(priority, numbers, (outcome) => this.#end(outcome, now));
  }

  #end(outcome: Outcome, started: number): void {
    const now = this.#settings.later.elapsed();
    this.#overload.ended();
    if (outcome === "served") {
      this.#settings.cap.learn({ started, ended: now, inFlight: this.#inFlight });
    }
    this.#inFlight--;
    this.#measure(now);
    if (this.#waiters.length > 0) this.#turn.serveSoon();
  }

  #refuse(priority: Priority, cause: Cause): Admission {
    const { tally, window, random } = this.#settings;
    // Whoever is refused now should not come back all at once.
    const retryAfter = Math.ceil(window * (2 + 2 * random()));
    return tally.refuse(priority, this.#numbers(retryAfter), { cause });
  }

  #numbers(retryAfter: number) {
    const { cap: capacity } = this.#settings.cap;
    return { capacity, remaining: capacity - this.#inFlight, retryAfter };
  }

  #wait(queued: QueuedWork): Admission | Promise<Admission> {
    if (!queued.isStandby && this.#waiters.inLine >= this.#settings.maxWaiting) {
      const other = this.#waiters.takeLessThan(queued.priority);
      if (other === undefined) return this.#refuse(queued.priority, "full");
      other.answer(this.#refuse(other.priority, "full"));
    }
    return new Promise((answer) => {
      const other = this.#waiters.add({ ...queued, answer });
      other?.answer(this.#refuse(other.priority, "share"));
      this.#turn.serveSoon();
      this.#watch(queued.since);
    });
  }

  /** Looks again before long, also where nothing else happens: what is in flight may hang. */
  #watch(now: number): void {
    this.#wake.by(Math.min(now + this.#settings.target, this.#waiters.earliest));
  }

  #lookAgain(): void {
    const now = this.#settings.later.elapsed();
    this.#measure(now);
    this.#look(now);
    if (this.#waiters.length > 0) this.#watch(now);
  }

  #startNext(): boolean {
    const now = this.#settings.later.elapsed();
    this.#look(now);
    const next = this.#noteFull() ? undefined : this.#waiters.takeNext(this.#overload.border);
    if (next === undefined) return false;
    next.answer(this.#start(next.priority, now));
    return true;
  }

  /** Refuses what is late; sees whether too much waits; refuses what has waited in vain. */
  #look(now: number): void {
    for (const late of this.#waiters.takeLate(now)) this.#drop(late, "late");
    this.#standing.learn({ now, oldest: this.#waiters.oldest });
    const mayRefuse = !this.#isStarting(now) && (this.#isHot || this.#noteFull());
    if (this.#standing.isLong && mayRefuse && !this.#overload.isOn) this.#becomeOverloaded(now);
    const since = now - this.#settings.target;
    for (const old of this.#waiters.takeBefore({ since, border: this.#overload.border })) {
      this.#drop(old, old.isStandby ? "share" : "waited");
    }
  }

  #drop({ priority, isStandby, answer }: Pending, cause: Cause): void {
    if (!isStandby) this.#overload.waited();
    answer(this.#refuse(priority, cause));
  }

  #becomeOverloaded(now: number): void {
    this.#overload.begin(this.#delayAt(now));
    this.#settings.tally.overloaded(true);
  }

  /** Ends the window, if it is over, and learns from it. */
  #measure(now: number): void {
    if (!this.#overload.isWindowOver(now)) return;
    const { gate, hot, cap, tally, loop } = this.#settings;
    const utilization = gate();
    // Where nobody knows whether the process is busy, work that waits for long says that it is.
    this.#isHot = utilization === undefined || utilization >= hot;
    if (utilization !== undefined && utilization > 1) cap.press();
    const { isStanding } = this.#standing;
    const isPressed = this.#isHot || this.#wasFull;
    this.#wasFull = this.#noteFull();
    const end = { now, delay: this.#delayAt(now), isStanding, isPressed };
    // While it starts up a process is fully busy.
    const busy = loop();
    this.#overload.endWindow({ ...end, utilization: this.#isStarting(now) ? undefined : busy });
    tally.overloaded(this.#overload.isOn || this.#overload.share < 1);
  }

  /** For how many times as long as it should the oldest in line has waited. */
  #delayAt(now: number): number {
    return (now - (this.#waiters.oldest ?? now)) / this.#settings.target;
  }
}
