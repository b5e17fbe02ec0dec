/** The required parts of BullMQ and ioredis: described, not imported. */
import type { JobRecord } from "../../contracts.ts";

/** The required part of an ioredis client. */
export type BullmqRedisClient = {
  call(command: string, ...parts: string[]): Promise<unknown>;
};

/** The required part of a BullMQ job. */
export type BullJob = {
  readonly id?: string | undefined;
  readonly data: unknown;
  readonly attemptsStarted: number;
  readonly returnvalue: unknown;
  readonly failedReason?: string | undefined;
  getState(): Promise<string>;
  updateData(data: never): Promise<unknown>;
  moveToDelayed(timestamp: number, token?: string): Promise<unknown>;
  extendLock(token: string, ms: number): Promise<number>;
  remove(): Promise<unknown>;
};

/** The required part of a `Queue`. */
export type BullQueue = {
  readonly name: string;
  add(name: never, data: never, options: object): Promise<unknown>;
  getJob(id: string): Promise<BullJob | undefined>;
};

/** The required part of a `Worker`. */
export type BullWorker = {
  readonly opts: { readonly lockDuration?: number | undefined };
  on(event: "lockRenewalFailed", listener: (ids: string[]) => void): unknown;
  close(): Promise<unknown>;
};

/** The function that a `Worker` calls for each job. */
export type BullProcessor = (job: BullJob, token?: string) => Promise<unknown>;

/** Options of a BullMQ queue. Times are milliseconds. */
export type BullmqQueueOptions = {
  /**
   * An ioredis client on the same Redis. Its clock is the queue's, and it decides whether a start
   * or a cancellation came first.
   */
  readonly redis: BullmqRedisClient;
  /**
   * Creates the worker: `(processor) => new Worker(name, processor, { connection })`. Not needed to
   * submit work.
   */
  readonly worker?: ((processor: BullProcessor) => BullWorker) | undefined;
  /** The maximum number of attempts for a job that fails: 1 to 100. Default: 3. */
  readonly attempts?: number | undefined;
  /**
   * The wait before the second attempt, which doubles with each further one: 0 ms to a day.
   * Default: 1 s.
   */
  readonly backoff?: number | undefined;
  /** How long finished jobs are remembered: 1 s to 366 days. Default: a day. */
  readonly keep?: number | undefined;
};

/** The data of a job in BullMQ. */
export type BullJobData = {
  readonly record: JobRecord;
  /**
   * How often the job had been taken when its start was reserved. If it is taken once more, that
   * start is unused.
   */
  readonly taken: number;
  /** The id of the call that queued it, which distinguishes a new job from an existing one. */
  readonly by: string;
};
