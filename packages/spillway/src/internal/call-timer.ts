/** Timers for calls that wait. */
import { elapsed, LONGEST_TIMER, timersEndWithRequests } from "../limits/core/index.ts";
import type { Scheduled } from "./schedule.ts";
import { SharedTimer, type StartTimer, type TurnClock } from "./shared-timer.ts";

/** Makes calls later, each once, unless it is cancelled before. */
export type CallTimer = Pick<SharedTimer, "after" | "cancel">;

/** One timer of the runtime for all, where it outlasts the request that has started it. */
export function callTimer(start: StartTimer, time?: TurnClock): CallTimer {
  return timersEndWithRequests ? new OwnTimers(start) : new SharedTimer(start, time);
}

/**
 * A timer of the runtime for each call. Where timers end with the request that started them, no request can depend on
 * another's; and one that has none of its own, nor anything else under way, is taken for hung.
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

  /** Also where the runtime can't stop the timer, for it belongs to another request. */
  cancel(entry: Scheduled): void {
    entry.item = undefined;
    this.#stops.get(entry)?.();
  }
}
