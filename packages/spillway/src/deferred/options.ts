import { badObject, checkOptions, checkWhole, systemScheduler } from "../internal/index.ts";
import { DAY, type Limits, MINUTE, type Scheduler, SECOND } from "../limits/core/index.ts";
import { checkedQueue } from "./checked-queue.ts";
import type { JobQueue } from "./contracts.ts";
import { Pace, type PaceLimiter } from "./pace/pace.ts";

/** What deferred work is made of. Times are milliseconds. */
export type DeferredOptions = {
  /** A `RateLimiter`, on a store that all processes share which ask for work or do it. */
  readonly limiter: { readonly limits: Limits };
  /** The limit that gives the pace: a leaky bucket, or a token bucket with `maxReserved`. */
  readonly limit: string;
  /** Where jobs wait: `bullmqQueue`, `pgBossQueue`, `memoryQueue` or one of yours. */
  readonly queue: JobQueue;
  /** The most bytes that a job's data may have as JSON: 1 to 16 MiB. Default: 64 KiB. */
  readonly maxBytes?: number | undefined;
  /** How long the queue may take to answer: 1 to a minute. Default: 5000. */
  readonly deadline?: number | undefined;
  /**
   * How much later than its time a job may start without taking a new place in the line: 1 to 366 days.
   * Default: 10 000, or the time between two starts if that is longer.
   */
  readonly grace?: number | undefined;
  /** Timers, and a clock that never steps: for tests. */
  readonly scheduler?: Scheduler | undefined;
};

const NAMES: readonly (keyof DeferredOptions)[] = [
  "limiter",
  "limit",
  "queue",
  "maxBytes",
  "deadline",
  "grace",
  "scheduler",
];

/** The same, all said and checked. */
export type DeferredSettings = {
  readonly pace: Pace;
  readonly queue: JobQueue;
  readonly maxBytes: number;
  readonly deadline: number;
  readonly grace: number;
  readonly scheduler: Scheduler;
};

/** @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-limit` */
export function checkedDeferred(options: DeferredOptions): DeferredSettings {
  checkOptions("deferred", options, NAMES);
  const { limiter, limit, queue, maxBytes = 64 * 1024, deadline = 5 * SECOND } = options;
  const { scheduler = systemScheduler } = options;
  if (typeof (limiter as unknown as Partial<PaceLimiter> | undefined)?.settle !== "function") {
    throw badObject("limiter", limiter, "the RateLimiter that has the limit");
  }
  if (typeof (queue as Partial<JobQueue> | undefined)?.add !== "function") {
    throw badObject("queue", queue, "a queue, such as memoryQueue()");
  }
  const pace = new Pace(limiter as unknown as PaceLimiter, limit);
  const { grace = Math.min(366 * DAY, Math.max(10 * SECOND, Math.ceil(pace.spacing))) } = options;
  checkWhole("maxBytes", maxBytes, { most: 16 * 1024 * 1024 });
  checkWhole("deadline", deadline, { most: MINUTE });
  checkWhole("grace", grace, { most: 366 * DAY });
  return { pace, queue: checkedQueue(queue), maxBytes, deadline, grace, scheduler };
}
