import { badOption } from "../../../internal/index.ts";
import { DAY, LONGEST, SECOND } from "../../../limits/core/index.ts";
import {
  adaptTransaction,
  connect,
  type PostgresConnection,
  transact,
} from "../../../stores/postgres/clients/index.ts";
import {
  type JobQueue,
  type JobRecord,
  type JobWorker,
  type KnownJob,
  LONGEST_KEPT,
  type NewJob,
  type TakeJob,
} from "../../contracts.ts";
import { badJob } from "../../problems.ts";
import { isStorable } from "../../storable.ts";
import type {
  Boss,
  BossJob,
  BossRecord,
  InDb,
  PgBossJobs,
  PgBossParts,
  PgBossQueueOptions,
} from "./contracts.ts";
import { bossDb, lock, nowOf } from "./db.ts";
import { isSameTime, knownJob } from "./known-job.ts";
import { checkedParts } from "./options.ts";
import { PgBossWorker } from "./worker.ts";

/**
 * Creates a job queue on a queue of pg-boss 10, in Postgres. Give that queue no other jobs.
 *
 * `Deferred.within` submits in transactions of all libraries that `postgresStore` supports.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function pgBossQueue(boss: Boss, options: PgBossQueueOptions): JobQueue {
  const parts = checkedParts(boss, options);
  return new PgBossQueue(parts, connect(parts.pool, UNPREPARED));
}

/** Statements are not prepared: each has its own text, and a server would keep all of them. */
const UNPREPARED = { prepare: false };

/** How long jobs that no worker takes are kept, in days. */
const RETENTION_DAYS = LONGEST / DAY;

class PgBossQueue implements JobQueue, PgBossJobs {
  readonly #parts: PgBossParts;
  readonly #connection: PostgresConnection;

  constructor(parts: PgBossParts, connection: PostgresConnection) {
    this.#parts = parts;
    this.#connection = connection;
  }

  get precision(): number {
    return Math.max(200, 2 * this.#parts.poll);
  }

  get expiry(): number {
    return Math.ceil((this.#parts.longest + LONGEST_KEPT * this.precision) / SECOND) * SECOND;
  }

  now(): Promise<number> {
    return nowOf(this.#connection);
  }

  async add(job: NewJob): Promise<boolean> {
    if (await this.send(job, {})) return true;
    await this.#checkQueue();
    return false;
  }

  /**
   * Checks that the queue exists, because pg-boss silently drops a job for a missing queue. @throws
   * SpillwayError `bad-option`
   */
  async #checkQueue(): Promise<void> {
    const { boss, name } = this.#parts;
    if ((await boss.getQueue(name)) !== null) return;
    throw badOption(
      "name",
      name,
      "an existing queue of pg-boss; create it with `await boss.createQueue(name)`",
    );
  }

  /**
   * Sends a job. Returns false if there is one with its id. A job that is sent again has fewer
   * attempts left.
   */
  async send(
    { id, wait: _, ...record }: NewJob,
    { db, retries }: InDb & { readonly retries?: number },
  ): Promise<boolean> {
    const { boss, name, attempts, backoff } = this.#parts;
    if (!isStorable(record.data)) {
      throw badJob(
        "data",
        record.data,
        "text that Postgres can keep: no U+0000, no half surrogates",
      );
    }
    const sent = await boss.send(name, record, {
      id,
      startAfter: new Date(record.startAt).toISOString(),
      retryLimit: retries ?? attempts - 1,
      retryDelay: Math.ceil(backoff / SECOND),
      expireInSeconds: this.expiry / SECOND,
      retentionDays: RETENTION_DAYS,
      ...(db === undefined ? {} : { db }),
    });
    return sent !== null;
  }

  async find(id: string): Promise<KnownJob | undefined> {
    return knownJob(await this.#get(id));
  }

  #get(id: string, options: InDb = {}): Promise<BossJob | null> {
    const { boss, name } = this.#parts;
    return boss.getJobById(name, id, { includeArchive: true, ...options });
  }

  async cancel(id: string): Promise<JobRecord | undefined> {
    return transact(this.#parts.pool, UNPREPARED, async (connection) => {
      // If several calls cancel the job, only one of them has cancelled it.
      await lock(connection, `${this.#parts.name} ${id}`);
      const db = bossDb(connection);
      const before = await this.#get(id, { db });
      // Only jobs that no worker has ever had: a retried job may have started before.
      if (before?.state !== "created") return undefined;
      if ((before.data as BossRecord).mayHaveStarted) return undefined;
      await this.#parts.boss.cancel(this.#parts.name, id, { db });
      const after = await this.#get(id, { db });
      const isMine = after?.state === "cancelled" && after.startedOn === null;
      if (!isMine) throw new JobTakenError();
      return after.data as JobRecord;
    }).catch((error: unknown) => {
      if (error instanceof JobTakenError) return undefined;
      throw error;
    });
  }

  work(take: TakeJob, { concurrency }: { readonly concurrency: number }): JobWorker {
    return new PgBossWorker({ ...this.#parts, queue: this, take, concurrency });
  }

  async postpone({ id, startedOn }: BossJob, job: NewJob & BossRecord): Promise<void> {
    const { boss, name } = this.#parts;
    await transact(this.#parts.pool, UNPREPARED, async (connection) => {
      const db = bossDb(connection);
      const found = await this.#get(id, { db });
      if (found?.state !== "active" || !isSameTime(found.startedOn, startedOn)) return;
      await boss.deleteJob(name, id, { db });
      const retries = Math.max(0, found.retryLimit - found.retryCount);
      await this.send(job, { db, retries });
    });
  }

  within(transaction: object): Pick<JobQueue, "now" | "add" | "find"> {
    const connection = adaptTransaction(transaction, UNPREPARED);
    const db = bossDb(connection);
    return {
      now: () => nowOf(connection),
      add: (job) => this.send(job, { db }),
      find: async (id) => knownJob(await this.#get(id, { db })),
    };
  }
}

/** Thrown if a worker has taken the job before it could be cancelled. */
class JobTakenError extends Error {}
