/** The required parts of pg-boss: described, not imported. */
import type { Scheduler } from "../../../limits/core/index.ts";
import type { PgLite, PgPool } from "../../../stores/postgres/clients/index.ts";
import type { JobRecord, NewJob } from "../../contracts.ts";

/** The object through which pg-boss sends its statements, in the form of its own `db` option. */
export type BossDb = {
  executeSql(text: string, values: readonly unknown[]): Promise<{ rows: unknown[] }>;
};

export type InDb = { readonly db?: BossDb };

/** A job of pg-boss, with its metadata. */
export type BossJob = {
  readonly id: string;
  readonly data: unknown;
  readonly state: string;
  readonly retryLimit: number;
  readonly retryCount: number;
  /** Text if it was read through `db`. */
  readonly startedOn: Date | string | null;
  readonly output: unknown;
};

/** The data of a job in pg-boss. */
export type BossRecord = JobRecord & {
  /**
   * Whether the job was retried before it was postponed, because pg-boss treats a postponed job as
   * a new one.
   */
  readonly mayHaveStarted?: boolean | undefined;
};

/** The required part of a `PgBoss`. */
export type Boss = {
  send(name: string, data: object, options: object): Promise<string | null>;
  fetch(
    name: string,
    options: { readonly batchSize: number; readonly includeMetadata: true },
  ): Promise<readonly BossJob[]>;
  getQueue(name: string): Promise<object | null>;
  getJobById(
    name: string,
    id: string,
    options: InDb & { readonly includeArchive: boolean },
  ): Promise<BossJob | null>;
  complete(name: string, id: string, data: object): Promise<unknown>;
  fail(name: string, id: string, data: object): Promise<unknown>;
  cancel(name: string, id: string, options: InDb): Promise<unknown>;
  deleteJob(name: string, id: string, options: InDb): Promise<unknown>;
};

/** Options of a pg-boss queue. Times are milliseconds. */
export type PgBossQueueOptions = {
  /** The name of the queue, as given to `boss.createQueue`. */
  readonly name: string;
  /** A pool of node-postgres on the same database, or the PGlite that pg-boss uses. */
  readonly pool: PgPool | PgLite;
  /**
   * The longest time that a job may take: 1 s to 23 hours. Default: 5 minutes.
   *
   * After that its signal aborts, and it counts as failed. A job whose process died also runs again
   * only after that time.
   */
  readonly longest?: number | undefined;
  /**
   * The maximum number of attempts for a job that fails, or whose process dies: 1 to 100. Default:
   * 3.
   */
  readonly attempts?: number | undefined;
  /** The wait before another attempt, rounded up to whole seconds: 0 ms to a day. Default: 1 s. */
  readonly backoff?: number | undefined;
  /**
   * How often the database is polled for jobs while there are none: 20 ms to a minute. Default: 500
   * ms.
   */
  readonly poll?: number | undefined;
  readonly scheduler?: Scheduler | undefined;
};

export type PgBossParts = Readonly<
  Required<{ [N in keyof PgBossQueueOptions]: NonNullable<PgBossQueueOptions[N]> }>
> & { readonly boss: Boss };

/** The part of a queue that its worker needs. */
export type PgBossJobs = {
  /**
   * How long a worker has a job, before and after its start, in milliseconds. Then another worker
   * may have it.
   */
  readonly expiry: number;
  /** Queues a job again for a later time, unless another worker has it. */
  postpone(taken: BossJob, job: NewJob & BossRecord): Promise<void>;
};
