/** Shares one timer of the runtime among many calls. */
import { LONGEST_TIMER, type Scheduler } from "../limits/core/index.ts";
import { Schedule, type Scheduled } from "./schedule.ts";
import { systemScheduler } from "./system-scheduler.ts";

/**
 * Starts a timer of the runtime: `alarm`, or `afterDelay` if it must not keep a program from
 * ending.
 */
export type StartTimer = (ms: number, call: () => void) => () => void;

/** The part of a scheduler that gives a timer the time, and lets other work run. */
export type TurnClock = Pick<Scheduler, "elapsed" | "afterTurn">;

/**
 * The maximum number of calls in one turn of the event loop. Other due calls wait for the next
 * turns.
 */
const MOST_IN_TURN = 250;
/** Milliseconds by which timers may fire early, because runtimes round the time down. */
const EARLY = 0.5;

/**
 * Makes many calls with one timer of the runtime, each once, unless it is cancelled before.
 *
 * The timer is armed for the earliest call, and not at all if there is none.
 */
export class SharedTimer {
  readonly #start: StartTimer;
  readonly #time: TurnClock;
  readonly #schedule = new Schedule();
  /** The instant for which the runtime's timer is armed; `Infinity` if it is not armed. */
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  constructor(start: StartTimer, time: TurnClock = systemScheduler) {
    this.#start = start;
    this.#time = time;
  }

  /**
   * Calls a function once, `ms` milliseconds from now or soon after. Delays are cut to the longest
   * that runtimes support.
   *
   * @returns The entry for `cancel`.
   */
  after(ms: number, call: () => void): Scheduled {
    const entry = this.#schedule.add({
      at: this.#time.elapsed() + Math.min(ms, LONGEST_TIMER),
      item: call,
    });
    if (entry.at < this.#armedFor) this.#arm(entry.at);
    return entry;
  }

  /** Cancels a call that was not made yet. */
  cancel(entry: Scheduled): void {
    this.#schedule.cancel(entry);
    if (this.#schedule.size === 0) this.#arm(Number.POSITIVE_INFINITY);
  }

  #arm(at: number): void {
    this.#disarm();
    this.#armedFor = at;
    if (at === Number.POSITIVE_INFINITY) return;
    this.#disarm = this.#start(Math.max(0, at - this.#time.elapsed()), () => this.#goOff());
  }

  /**
   * Makes the calls that are due. If there are too many, the rest follow after other ready work has
   * run.
   */
  #goOff(): void {
    // Called functions may schedule more calls. The timer is armed for all of them afterwards.
    this.#armedFor = Number.NEGATIVE_INFINITY;
    const now = this.#time.elapsed() + EARLY;
    try {
      for (let left = MOST_IN_TURN; left > 0 && this.#schedule.next <= now; left--) {
        this.#schedule.take()?.();
      }
    } finally {
      if (this.#schedule.next <= now) this.#time.afterTurn(() => this.#goOff());
      else this.#arm(this.#schedule.next);
    }
  }
}
