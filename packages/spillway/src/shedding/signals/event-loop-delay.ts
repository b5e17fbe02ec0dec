/**
 * How long the event loop keeps waiting what is ready to run.
 *
 * A timer of 10 ms sets itself again and again; how late it is, is how long the loop was held up. A
 * timer starves with the loop it watches, so one that is overdue counts when it is read.
 *
 * Node's `monitorEventLoopDelay` does the same, but can't be read in windows. It records the time
 * from each of its timers to the next, the resolution included, and `reset` forgets the last timer:
 * what lies between the one before and the one after is recorded nowhere. That is the turn that
 * reads it. Read and reset in each turn, a loop blocked for 200 ms in every turn has a count of 0
 * (Node 20 and 24). Its `samplePerIteration` mends that, in the newest releases only.
 */
import { checkOptions, checkPositive, systemScheduler } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";
import type { Signal } from "../signal.ts";

type EventLoopDelayOptions = {
  /** The delay in milliseconds, above 0, that counts as 1: as much as can be borne. */
  readonly limit: number;
};

/** What it needs of the runtime; a simulation brings its own. */
export type DelayTimers = Pick<Scheduler, "afterDelay" | "elapsed">;

/** Milliseconds from one timer to the next. */
const RESOLUTION = 10;

/** Timers after which one that nobody reads rests: a minute or more. */
const MOST = 6000;

/** The part of all that arrives which may be later than is returned. */
const TAIL = 0.01;

/**
 * How late the event loop is, over `limit`: 99 % of the time since the last read it was no later.
 *
 * 1 is at the limit, more is beyond. It is the wait of what gets ready at a random moment: a block
 * of 300 ms within a second returns 280 to 290 ms, an idle loop about none, and never more than there
 * was. A block counts when it is over, or when it is read: also that of collecting garbage, or of a
 * process that was stopped. Not for waits on a database; not for tabs in the background, whose
 * timers are held back. Each read ends a window: one reader, about once a second, since a block of
 * less than 1 % of the window vanishes in it.
 *
 * It wakes an idle process 100 times a second, keeps none from ending, and rests when nobody has
 * read it for a minute: the next read begins anew, and returns nothing.
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

/** Milliseconds by which timers of one window were late, and how long that window was. */
type DelayWindow = { readonly late: readonly number[]; readonly length: number };

class DelayMonitor {
  readonly #timers: DelayTimers;
  #late: number[] = [];
  #since: number;
  /** When the next timer should come; undefined at rest. */
  #due: number | undefined;

  constructor(timers: DelayTimers) {
    this.#timers = timers;
    this.#since = timers.elapsed();
    this.#wait();
  }

  /** Milliseconds; undefined where no timer was due since it was last read. */
  read(): number | undefined {
    const now = this.#timers.elapsed();
    const due = this.#due;
    if (due !== undefined && now > due) {
      this.#late.push(now - due);
      // The rest of this delay is for the next window.
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
 * The delay that all but 1 % of the window's moments stayed within.
 *
 * Counting timers instead would make a block of half the window one of fifty. A block of d ms holds
 * up what comes in its first d − x ms by more than x. Where these add up to the tail, x is
 * (sum of the k longest − tail) / k, for the k that makes it largest.
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
