import type { Scheduler } from "../core/index.ts";

/** Waits so many milliseconds. */
export function pause(ms: number, scheduler: Scheduler): Promise<void> {
  return new Promise((resolve) => {
    scheduler.alarm(ms, resolve);
  });
}
