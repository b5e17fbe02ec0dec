/** One timer of the runtime for many calls. */
import { LONGEST_TIMER, type Scheduler } from "../limits/core/index.ts";
import { Schedule, type Scheduled } from "./schedule.ts";
import { systemScheduler } from "./system-scheduler.ts";

/** A timer of the runtime: `alarm`, or `afterDelay` where no program is to be kept from ending. */
export type StartTimer = (ms: number, call: () => void) => () => void;

/** What a timer reads the time by, and what lets other work have its turn. */
export type TurnClock = Pick<Scheduler, "elapsed" | "afterTurn">;

/** Calls in one turn of the event loop; what else is due has to wait for the next ones. */
const MOST_IN_TURN = 250;
/** Milliseconds by which timers may go off early: runtimes round the time down. */
const EARLY = 0.5;

/**
 * One timer of the runtime for many calls, each of which is made once, unless it is cancelled before. It
 * is armed for the first of them, and not at all where there is none.
 */
export class SharedTimer {
  readonly #start: StartTimer;
  readonly #time: TurnClock;
  readonly #schedule = new Schedule();
  /** For what instant the runtime's timer is armed; Infinity where it is not. */
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  constructor(start: StartTimer, time: TurnClock = systemScheduler) {
    this.#start = start;
    this.#time = time;
  }

  /**
   * Calls once, so many milliseconds from now or soon after, but not later than runtimes can wait for.
   *
   * @returns What `cancel` takes.
   */
  after(ms: number, call: () => void): Scheduled {
    const entry = this.#schedule.add({
      at: this.#time.elapsed() + Math.min(ms, LONGEST_TIMER),
      item: call,
    });
    if (entry.at < this.#armedFor) this.#arm(entry.at);
    return entry;
  }

  /** Cancels a call, if it was not made yet. */
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

  /** Makes the calls that are due; those that are too many, when what else is ready has had its turn. */
  #goOff(): void {
    // Whatever is called may schedule more: it is armed for all of it afterwards.
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
