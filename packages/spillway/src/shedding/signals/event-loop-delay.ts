/**
 * Measures how long work that is ready waits for the event loop.
 *
 * A timer of 10 ms restarts itself. Its delay is the time for which the loop was blocked. A blocked
 * loop also blocks the timer, so an overdue timer counts when the signal is read.
 *
 * Node's `monitorEventLoopDelay` does the same, but can't be read in windows. It records the time
 * from each of its timers to the next, resolution included, and `reset` forgets the last timer. So
 * it never records the time between the timers before and after a reset, which is the turn that
 * reads it. If it is read and reset in every turn, it returns 0 for a loop that each turn blocks
 * for 200 ms (Node 20 and 24). Its option `samplePerIteration` avoids that, but only the newest
 * releases have it.
 */
import { checkOptions, checkPositive, systemScheduler } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";
import type { Signal } from "../signal.ts";

type EventLoopDelayOptions = {
  /** The delay that counts as 1, in milliseconds, above 0: the longest that is acceptable. */
  readonly limit: number;
};

/** The functions that it needs of the runtime. A simulation replaces them. */
export type DelayTimers = Pick<Scheduler, "afterDelay" | "elapsed">;

/** The time from one timer to the next, in milliseconds. */
const RESOLUTION = 10;

/** The number of timers after which a signal that is not read stops: a minute or more. */
const MOST = 6000;

/** The part of all work that may wait longer than the delay that is returned. */
const TAIL = 0.01;

/**
 * Creates a signal: the 99th percentile of the event loop's delay, divided by `limit`.
 *
 * For 99 % of the time since the last read, the loop was not later than this. 1 means that the
 * delay equals `limit`. The delay is the wait of work that becomes ready at a random moment. For a
 * block of 300 ms within a second it is 280 to 290 ms; for an idle loop, about 0. It is never more
 * than the real delay. A block counts when it is over, or when the signal is read. Garbage
 * collection counts, and so does the time for which a process was stopped.
 *
 * Not for waits on a database, nor for tabs in the background, whose timers are delayed. Each read
 * ends a window, so use one reader, about once a second: a block of less than 1 % of the window
 * does not show.
 *
 * It wakes an idle process 100 times a second, and does not keep the process alive. If it is not
 * read for a minute, it stops; the next read starts it again and returns undefined.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function eventLoopDelay(
  options: EventLoopDelayOptions,
  timers: DelayTimers = systemScheduler,
): Signal {
  checkOptions("eventLoopDelay", options, ["limit"]);
  const { limit } = options;
  checkPositive("limit", limit);
  const watch = new DelayMonitor(timers);
  return () => {
    const delay = watch.read();
    return delay === undefined ? undefined : delay / limit;
  };
}

/** The delays of one window's timers, and the length of that window, in milliseconds. */
type DelayWindow = { readonly late: readonly number[]; readonly length: number };

class DelayMonitor {
  readonly #timers: DelayTimers;
  #late: number[] = [];
  #since: number;
  /** When the next timer is due; undefined if it has stopped. */
  #due: number | undefined;

  constructor(timers: DelayTimers) {
    this.#timers = timers;
    this.#since = timers.elapsed();
    this.#wait();
  }

  /** Returns the delay in milliseconds; undefined if no timer was due since the last read. */
  read(): number | undefined {
    const now = this.#timers.elapsed();
    const due = this.#due;
    if (due !== undefined && now > due) {
      this.#late.push(now - due);
      // The rest of this delay belongs to the next window.
      this.#due = now;
    }
    const window = { late: this.#late, length: now - this.#since };
    this.#late = [];
    this.#since = now;
    if (due !== undefined) return percentile99(window);
    this.#wait();
    return undefined;
  }

  #wait(): void {
    this.#due = this.#timers.elapsed() + RESOLUTION;
    this.#timers.afterDelay(RESOLUTION, () => this.#tick());
  }

  #tick(): void {
    this.#late.push(Math.max(0, this.#timers.elapsed() - (this.#due as number)));
    if (this.#late.length < MOST) this.#wait();
    else this.#due = undefined;
  }
}

/**
 * Returns the delay that was not exceeded at 99 % of the moments of a window.
 *
 * Counting timers would be wrong: a block of half the window would be one timer of fifty. During a
 * block of d ms, work that arrives in its first d − x ms waits longer than x. The delay is the x at
 * which these times add up to the tail of 1 %. It is (sum of the k longest − tail) / k, for the k
 * that makes it largest.
 */
function percentile99({ late, length }: DelayWindow): number | undefined {
  if (late.length === 0) return undefined;
  let sum = -TAIL * length;
  let delay = 0;
  for (const [index, each] of late.toSorted((a, b) => b - a).entries()) {
    sum += each;
    delay = Math.max(delay, sum / (index + 1));
  }
  return delay;
}
