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

/** Options of deferred work. Times are milliseconds. */
export type DeferredOptions = {
  /** A `RateLimiter`, on a store that is shared by all processes that submit or run work. */
  readonly limiter: AnyLimiter;
  /**
   * The name of the limit that sets the pace: a leaky bucket, or a token bucket with `maxReserved`.
   */
  readonly limit: string;
  /** The queue in which jobs wait: `bullmqQueue`, `pgBossQueue`, `memoryQueue` or your own. */
  readonly queue: JobQueue;
  /** The maximum number of bytes of a job's data as JSON: 1 to 16 MiB. Default: 64 KiB. */
  readonly maxBytes?: number | undefined;
  /** How long the queue may take to answer: 1 ms to a minute. Default: 5 s. */
  readonly deadline?: number | undefined;
  /**
   * How much later than its time a job may start without a new place in the line: 1 ms to 366 days.
   * Default: 10 s, or the time between two starts if that is longer.
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
 * Checks the options. @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`,
 * `wrong-kind`, `bad-limit`
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
