/** What is needed of BullMQ and ioredis: described, not imported. */
import type { JobRecord } from "../../contracts.ts";

/** What is needed of a client of ioredis. */
export type BullmqRedisClient = {
  call(command: string, ...parts: string[]): Promise<unknown>;
};

/** What is needed of a job of BullMQ. */
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

/** What is needed of a `Queue`. */
export type BullQueue = {
  readonly name: string;
  add(name: never, data: never, options: object): Promise<unknown>;
  getJob(id: string): Promise<BullJob | undefined>;
};

/** What is needed of a `Worker`. */
export type BullWorker = {
  readonly opts: { readonly lockDuration?: number | undefined };
  on(event: "lockRenewalFailed", listener: (ids: string[]) => void): unknown;
  close(): Promise<unknown>;
};

/** What a `Worker` calls for each job. */
export type BullProcessor = (job: BullJob, token?: string) => Promise<unknown>;

/** Settings of a queue of BullMQ. Times are milliseconds. */
export type BullmqQueueOptions = {
  /** A client of ioredis on the same Redis: its clock is the queue's, and it settles who was first. */
  readonly redis: BullmqRedisClient;
  /** Makes the worker: `(processor) => new Worker(name, processor, { connection })`. Not needed to ask for work. */
  readonly worker?: ((processor: BullProcessor) => BullWorker) | undefined;
  /** How often a job is started that fails: 1 to 100. Default: 3. */
  readonly attempts?: number | undefined;
  /** The wait before the second attempt, which doubles from attempt to attempt: 0 to a day. Default: 1000. */
  readonly backoff?: number | undefined;
  /** How long jobs are remembered that are over: 1000 to 366 days. Default: a day. */
  readonly keep?: number | undefined;
};

/** What is kept as a job's data. */
export type BullJobData = {
  readonly record: JobRecord;
  /** How often the job had been taken when its time was reserved: taken once more, the time is its own. */
  readonly taken: number;
  /** Who has queued it: distinguishes a job that was added from one that was there. */
  readonly by: string;
};
