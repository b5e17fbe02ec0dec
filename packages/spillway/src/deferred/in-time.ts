import { inTime as byDeadline } from "../internal/index.ts";
import type { Scheduler } from "../limits/core/index.ts";
import { queueFailed } from "./problems.ts";

export type QueueDeadline = {
  readonly what: string;
  readonly deadline: number;
  readonly scheduler: Scheduler;
};

/**
 * Waits for a call to the queue, at most `deadline` milliseconds. @throws SpillwayError
 * `queue-failed`
 *
 * So a queue whose store is unavailable does not delay callers.
 */
export function inTime<T>(
  promise: Promise<T>,
  { what, deadline, scheduler }: QueueDeadline,
): Promise<T> {
  const start = (ms: number, call: () => void) => scheduler.alarm(ms, call);
  return byDeadline({ field: what, timeout: deadline, start }, promise, (error, isLate) =>
    queueFailed(what, isLate ? new Error(`no answer within ${deadline} ms`) : error),
  );
}
