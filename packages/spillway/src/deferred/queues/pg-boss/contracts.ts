/** What is needed of pg-boss: described, not imported. */
import type { Scheduler } from "../../../limits/core/index.ts";
import type { PgLite, PgPool } from "../../../stores/postgres/clients/index.ts";
import type { JobRecord, NewJob } from "../../contracts.ts";

/** What pg-boss sends its statements through: the form of its own `db` option. */
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
  /** Text where it came through `db`. */
  readonly startedOn: Date | string | null;
  readonly output: unknown;
};

/** What is kept in a job of pg-boss. */
export type BossRecord = JobRecord & {
  /** Whether it was retried before it was queued again for later: pg-boss takes that for a new job. */
  readonly mayHaveStarted?: boolean | undefined;
};

/** What is needed of a `PgBoss`. */
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

/** Settings of a queue of pg-boss. Times are milliseconds. */
export type PgBossQueueOptions = {
  /** The queue's name, as `boss.createQueue` knows it. */
  readonly name: string;
  /** A pool of node-postgres on the same database, or the PGlite that pg-boss has. */
  readonly pool: PgPool | PgLite;
  /**
   * The longest that a job takes: 1000 to a day. After that its signal is aborted, and it counts as failed:
   * so long it takes until a job runs again whose process died. Default: 5 minutes.
   */
  readonly longest?: number | undefined;
  /** How often a job is started that fails, or whose process dies: 1 to 100. Default: 3. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt, in whole seconds of 1000: 0 to a day. Default: 1000. */
  readonly backoff?: number | undefined;
  /** How often the database is asked for jobs while there are none: 20 to a minute. Default: 500. */
  readonly poll?: number | undefined;
  readonly scheduler?: Scheduler | undefined;
};

export type PgBossParts = Readonly<
  Required<{ [N in keyof PgBossQueueOptions]: NonNullable<PgBossQueueOptions[N]> }>
> & { readonly boss: Boss };

/** What a worker needs of its queue. */
export type PgBossJobs = {
  /** How long a worker has a job, before and while it works: after that another one has it. */
  readonly expiry: number;
  /** Queues a job again for a later time, unless another worker has it. */
  postpone(taken: BossJob, job: NewJob & BossRecord): Promise<void>;
};
