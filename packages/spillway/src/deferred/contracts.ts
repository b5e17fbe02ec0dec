/** Work for later: what a job is, and what a queue of jobs has to do. Queues are described, not imported. */
import type { StopSignal } from "../internal/index.ts";

/**
 * Where a job is.
 *
 * - `queued`: it has a time at which it may start, and waits.
 * - `running`: a worker has it; it starts as soon as the pace allows.
 * - `done`, `failed`, `cancelled`: nothing more happens to it.
 */
export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

/** What is known of a job. Times are milliseconds. */
export type Job = {
  /** A UUID, in lower case. */
  readonly id: string;
  readonly state: JobState;
  /** The time that is reserved for it, since 1970, by the queue's clock: it does not start before. */
  readonly startAt: number;
  /** Until that time, by the same clock; 0 where it has passed. */
  readonly wait: number;
  /** What the work returned; undefined until it is `done`. */
  readonly result: unknown;
  /** Why the last attempt failed: for programs, not for those who asked for the work. */
  readonly error: string | undefined;
};

/** What a queue keeps of a job. */
export type JobRecord = {
  /** The time that is reserved for it, by the queue's clock. */
  readonly startAt: number;
  /** Whose budget pays for it; undefined for the limit's one global budget. */
  readonly key: string | undefined;
  /** How many units it takes. */
  readonly count: number;
  /** What the work needs: anything that JSON can carry. */
  readonly data: unknown;
  /**
   * Milliseconds between two starts when that time was reserved, to be kept as it is: where it is another one now, the
   * limit was changed. Undefined where that is not known.
   */
  readonly spacing?: number | undefined;
};

/** A job that is to be queued. */
export type NewJob = JobRecord & {
  readonly id: string;
  /** Until it may start. */
  readonly wait: number;
};

/** What a queue knows of a job. */
export type KnownJob = Omit<Job, "wait">;

/** A job that a worker has taken from its queue. */
export type TakenJob = JobRecord & {
  readonly id: string;
  /** Whether its reserved time is still its own: false where it was taken before, and may have started then. */
  readonly isFresh: boolean;
  /** Aborted when another worker may have it: an `AbortSignal`, for the work is given it as one. */
  readonly signal: StopSignal;
  /** For how many milliseconds from now no other worker has it, so that it may be started; none where that is over. */
  heldFor(): Promise<number>;
  /** Says that it starts now. False where it was cancelled: then it must not. */
  begin(): Promise<boolean>;
};

/** What comes of a job that was taken. An attempt that failed rejects. */
export type JobOutcome =
  | { readonly type: "done"; readonly result: unknown }
  /** It is to come back then, by the queue's clock; that time is reserved for it. */
  | { readonly type: "later"; readonly startAt: number; readonly wait: number }
  /** Its time was over before it started: another worker may have it, or will. */
  | { readonly type: "lost" }
  | { readonly type: "cancelled" };

/** Takes jobs from a queue until it is closed. */
export type JobWorker = {
  /** Takes no more jobs, and resolves when those that it has are over. */
  close(): Promise<void>;
};

/** What a worker does with each job. */
export type TakeJob = (job: TakenJob) => Promise<JobOutcome>;

/** In all, a worker keeps a job for so many times its queue's precision before it starts, at most. */
export const LONGEST_KEPT = 10;

/** A queue of jobs that exists, with what this package needs of it. */
export type JobQueue = {
  /** How much later than asked for a job may be taken, in milliseconds, while there are workers. */
  readonly precision: number;
  /** The queue's own clock: milliseconds since 1970, the same for all processes. */
  now(): Promise<number>;
  /** Queues a job. False where there is one with that id: then nothing is changed. */
  add(job: NewJob): Promise<boolean>;
  find(id: string): Promise<KnownJob | undefined>;
  /** Cancels a job that has not started. Its record where this call did it, and nobody else will have it. */
  cancel(id: string): Promise<JobRecord | undefined>;
  /** @throws SpillwayError `bad-option` where it was made for asking only. */
  work(take: TakeJob, options: { readonly concurrency: number }): JobWorker;
  /**
   * The same queue, in a transaction of the caller's. Only queues in a database have it.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): Pick<JobQueue, "now" | "add" | "find">;
};
