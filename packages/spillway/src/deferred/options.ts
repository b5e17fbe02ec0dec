import {
  given,
  having,
  type OptionsOf,
  type OptionTable,
  readOptions,
  scheduler,
  whole,
} from "../internal/index.ts";
import type { AnyLimiter } from "../limiter/index.ts";
import { LONGEST, MINUTE, type Scheduler, SECOND } from "../limits/core/index.ts";
import { checkedQueue } from "./checked-queue.ts";
import type { JobQueue } from "./contracts.ts";
import { JobPacer } from "./pace/job-pacer.ts";

/** What deferred work is made of. Times are milliseconds. */
export type DeferredOptions = {
  /** A `RateLimiter`, on a store that all processes share which ask for work or do it. */
  readonly limiter: AnyLimiter;
  /** The limit that gives the pace: a leaky bucket, or a token bucket with `maxReserved`. */
  readonly limit: string;
  /** Where jobs wait: `bullmqQueue`, `pgBossQueue`, `memoryQueue` or one of yours. */
  readonly queue: JobQueue;
  /** The most bytes that a job's data may have as JSON: 1 to 16 MiB. Default: 64 KiB. */
  readonly maxBytes?: number | undefined;
  /** How long the queue may take to answer: 1 to a minute. Default: 5000. */
  readonly deadline?: number | undefined;
  /**
   * How much later than its time a job may start without taking a new place in the line: 1 to 366
   * days. Default: 10 000, or the time between two starts if that is longer.
   */
  readonly grace?: number | undefined;
  /** Timers and a monotonic clock. Replaced in tests. */
  readonly scheduler?: Scheduler | undefined;
};

const A_QUEUE = { method: "add", expected: "a queue, such as memoryQueue()" } as const;

const TABLE = {
  limiter: having<AnyLimiter>({ method: "settle", expected: "the RateLimiter that has the limit" }),
  limit: given<string>(),
  queue: checkedQueueOption,
  maxBytes: whole({ most: 16 * 1024 * 1024, otherwise: 64 * 1024 }),
  deadline: whole({ most: MINUTE, otherwise: 5 * SECOND }),
  grace: given(),
  scheduler,
} satisfies OptionTable<DeferredOptions>;

/** The options with defaults, after their checks. */
export type DeferredSettings = Omit<OptionsOf<typeof TABLE>, "limiter" | "limit" | "grace"> & {
  readonly pace: JobPacer;
  readonly grace: number;
};

/**
 * @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-limit`
 */
export function checkedDeferred(options: DeferredOptions): DeferredSettings {
  const { limiter, limit, grace, ...settings } = readOptions({ of: "deferred" }, options, TABLE);
  const pace = new JobPacer(limiter, limit);
  const usual = Math.min(LONGEST, Math.max(10 * SECOND, Math.ceil(pace.spacing)));
  return { ...settings, pace, grace: whole({ most: LONGEST, otherwise: usual })(grace, "grace") };
}

function checkedQueueOption(value: unknown, field: string): JobQueue {
  return checkedQueue(having<JobQueue>(A_QUEUE)(value, field));
}
