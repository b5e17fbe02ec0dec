/** Timers for calls that wait. */
import { elapsed, LONGEST_TIMER, timersEndWithRequests } from "../limits/core/index.ts";
import type { Scheduled } from "./schedule.ts";
import { SharedTimer, type StartTimer, type TurnClock } from "./shared-timer.ts";

/** Calls functions later, each once, unless it is cancelled before. */
export type CallTimer = Pick<SharedTimer, "after" | "cancel">;

/**
 * Returns one timer for all calls, or one for each if timers end with the request that started
 * them.
 */
export function callTimer(start: StartTimer, time?: TurnClock): CallTimer {
  return timersEndWithRequests ? new OwnTimers(start) : new SharedTimer(start, time);
}

/**
 * One timer of the runtime for each call.
 *
 * For runtimes whose timers end with the request that started them. There, no request can depend on
 * another's timer. And a request without a timer or other pending work is treated as hung.
 */
export class OwnTimers implements CallTimer {
  readonly #start: StartTimer;
  readonly #stops = new WeakMap<Scheduled, () => void>();

  constructor(start: StartTimer) {
    this.#start = start;
  }

  after(ms: number, call: () => void): Scheduled {
    const at = elapsed() + Math.min(ms, LONGEST_TIMER);
    const entry: Scheduled = { at, item: call, order: 0 };
    this.#stops.set(
      entry,
      this.#start(ms, () => entry.item?.()),
    );
    return entry;
  }

  /** Also works if the runtime can't stop the timer because it belongs to another request. */
  cancel(entry: Scheduled): void {
    entry.item = undefined;
    this.#stops.get(entry)?.();
  }
}
