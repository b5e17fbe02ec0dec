/** The contracts of jobs and of job queues. Queues are described by their methods, not imported. */
import type { StopSignal } from "../internal/index.ts";

/**
 * The state of a job.
 *
 * - `queued`: it waits for the time at which it may start.
 * - `running`: a worker has it. It has started, or starts as soon as the pace allows.
 * - `done`, `failed`, `cancelled`: it is over.
 */
export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

/** A job as callers see it. Times are milliseconds. */
export type Job = {
  /** A UUID, in lower case. */
  readonly id: string;
  readonly state: JobState;
  /** The start reserved for it, since 1970 by the queue's clock. The job does not start earlier. */
  readonly startAt: number;
  /** The time until then, by the same clock; 0 if it has passed or the job is no longer queued. */
  readonly wait: number;
  /** The value that the work returned; undefined until the job is `done`. */
  readonly result: unknown;
  /** Why the last attempt failed. For programs only: do not show it to clients. */
  readonly error: string | undefined;
};

/** The data that a queue keeps of a job. */
export type JobRecord = {
  /** The start reserved for it, in milliseconds since 1970 by the queue's clock. */
  readonly startAt: number;
  /** The key of the budget; undefined for the limit's one global budget. */
  readonly key: string | undefined;
  /** The number of units that it takes. */
  readonly count: number;
  /** The input of the work: anything that JSON can carry. */
  readonly data: unknown;
  /**
   * The milliseconds between two starts when the start was reserved; undefined if unknown.
   *
   * The queue keeps it unchanged. If it differs from the current value, the limit has been changed
   * since.
   */
  readonly spacing?: number | undefined;
};

/** A job to be queued. */
export type NewJob = JobRecord & {
  readonly id: string;
  /** Milliseconds until it may start. */
  readonly wait: number;
};

/** A job as its queue knows it. */
export type KnownJob = Omit<Job, "wait">;

/** A job that a worker has taken from its queue. */
export type TakenJob = JobRecord & {
  readonly id: string;
  /**
   * Whether its reserved start is unused. False if a worker took the job before, because it may
   * have started then.
   */
  readonly isFresh: boolean;
  /**
   * Aborts when another worker may have the job. An `AbortSignal`, because the work receives it as
   * one.
   */
  readonly signal: StopSignal;
  /**
   * Returns for how many milliseconds from now no other worker can have the job; 0 or less if
   * another may have it already. The job may start within that time.
   */
  heldFor(): Promise<number>;
  /** Records that the job starts now. Returns false if it was cancelled: then it must not start. */
  begin(): Promise<boolean>;
};

/** The outcome of a job that was taken. A failed attempt rejects instead. */
export type JobOutcome =
  | { readonly type: "done"; readonly result: unknown }
  /**
   * The job is to be taken again at `startAt`, by the queue's clock. That time is reserved for it.
   */
  | { readonly type: "later"; readonly startAt: number; readonly wait: number }
  /**
   * The worker lost the job before the start: another worker has it, or will get it.
   */
  | { readonly type: "lost" }
  | { readonly type: "cancelled" };

/** Takes jobs from a queue until it is closed. */
export type JobWorker = {
  /** Takes no more jobs, and resolves when the current ones are over. */
  close(): Promise<void>;
};

/** Carries out a job for a worker. */
export type TakeJob = (job: TakenJob) => Promise<JobOutcome>;

/**
 * How long a worker keeps a job before its start, at most, as a multiple of the queue's precision.
 */
export const LONGEST_KEPT = 10;

/** The required methods of a job queue. */
export type JobQueue = {
  /** How much later than requested a job may be taken, in milliseconds, while there are workers. */
  readonly precision: number;
  /**
   * Returns the time by the queue's own clock, the same for all processes: milliseconds since 1970.
   */
  now(): Promise<number>;
  /** Queues a job. Returns false, and changes nothing, if there is a job with that id. */
  add(job: NewJob): Promise<boolean>;
  find(id: string): Promise<KnownJob | undefined>;
  /**
   * Cancels a job that has not started. Returns its record only if this call has cancelled it, so
   * that only one caller receives it.
   */
  cancel(id: string): Promise<JobRecord | undefined>;
  /** @throws SpillwayError `bad-option` if the queue was created for submissions only. */
  work(take: TakeJob, options: { readonly concurrency: number }): JobWorker;
  /**
   * Returns the same queue in a transaction of the caller's. Only queues in a database have this
   * method.
   *
   * @throws SpillwayError `bad-transaction`
   */
  within?(transaction: object): Pick<JobQueue, "now" | "add" | "find">;
};
