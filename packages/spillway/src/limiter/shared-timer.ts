import { afterTurn, elapsed, LONGEST_TIMER } from "../core/index.ts";
import { Schedule, type Scheduled } from "../internal/index.ts";

/** A timer of the runtime: `alarm`, or `afterDelay` where no program is to be kept from ending. */
export type StartTimer = (ms: number, call: () => void) => () => void;

/** Calls in one turn of the event loop; what else is due has to wait for the next ones. */
const MOST_IN_TURN = 500;
/** Milliseconds by which timers may go off early: runtimes round the time down. */
const EARLY = 0.5;

/**
 * One timer of the runtime for many calls, each of which is made once, unless it is cancelled before. It
 * is armed for the first of them, and not at all where there is none.
 */
export class SharedTimer {
  readonly #start: StartTimer;
  readonly #schedule = new Schedule();
  /** For what instant the runtime's timer is armed; Infinity where it is not. */
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  constructor(start: StartTimer) {
    this.#start = start;
  }

  /**
   * Calls once, so many milliseconds from now or soon after, but not later than runtimes can wait for.
   *
   * @returns What `cancel` takes.
   */
  after(ms: number, call: () => void): Scheduled {
    const entry = this.#schedule.add({ at: elapsed() + Math.min(ms, LONGEST_TIMER), item: call });
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
    this.#disarm = this.#start(Math.max(0, at - elapsed()), () => this.#goOff());
  }

  /** Makes the calls that are due; those that are too many, when what else is ready has had its turn. */
  #goOff(): void {
    // Whatever is called may schedule more: it is armed for all of it afterwards.
    this.#armedFor = Number.NEGATIVE_INFINITY;
    const now = elapsed() + EARLY;
    try {
      for (let left = MOST_IN_TURN; left > 0 && this.#schedule.next <= now; left--) {
        this.#schedule.take()?.();
      }
    } finally {
      if (this.#schedule.next <= now) afterTurn(() => this.#goOff());
      else this.#arm(this.#schedule.next);
    }
  }
}
