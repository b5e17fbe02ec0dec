import { DAY, HOUR, MINUTE, SECOND } from "../../core/index.ts";
import { badOption, checkOptions, checkWhole, systemScheduler } from "../../internal/index.ts";
import {
  adaptTransaction,
  type Connection,
  connect,
  isPgLite,
  isPgPool,
  transact,
} from "../../stores/postgres/clients/index.ts";
import {
  type JobQueue,
  type JobRecord,
  type JobState,
  type JobWorker,
  type KnownJob,
  LONGEST_KEPT,
  type NewJob,
  type TakeJob,
} from "../contracts.ts";
import { badJob } from "../problems.ts";
import { isStorable } from "../storable.ts";
import type {
  Boss,
  BossJob,
  BossRecord,
  InDb,
  PgBossJobs,
  PgBossParts,
  PgBossQueueOptions,
} from "./pg-boss-contracts.ts";
import { bossDb, lock, nowOf } from "./pg-boss-db.ts";
import { PgBossWorker } from "./pg-boss-worker.ts";

const NAMES: readonly (keyof PgBossQueueOptions)[] = [
  "name",
  "pool",
  "longest",
  "attempts",
  "backoff",
  "poll",
  "scheduler",
];

/**
 * Jobs in a queue of pg-boss 10, on Postgres. Give the queue no other jobs. `Deferred.within` submits in
 * transactions of all libraries that `postgresStore` joins.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function pgBossQueue(boss: Boss, options: PgBossQueueOptions): JobQueue {
  checkOptions("pgBossQueue", options, NAMES);
  const { name, pool, longest = 5 * MINUTE, attempts = 3, backoff = SECOND, poll = 500 } = options;
  const { scheduler = systemScheduler } = options;
  if (typeof (boss as Partial<Boss> | undefined)?.fetch !== "function") {
    throw badOption("boss", boss, "a PgBoss that was started");
  }
  if (typeof name !== "string" || name === "") throw badOption("name", name, "a queue's name");
  if (!isPgPool(pool) && !isPgLite(pool)) {
    throw badOption("pool", pool, "a Pool of node-postgres or a PGlite");
  }
  checkWhole("longest", longest, { least: SECOND, most: DAY - HOUR });
  checkWhole("attempts", attempts, { most: 100 });
  checkWhole("backoff", backoff, { least: 0, most: DAY });
  checkWhole("poll", poll, { least: 20, most: MINUTE });
  const connection = connect(pool, UNPREPARED);
  const parts = { boss, name, pool, longest, attempts, backoff, poll, scheduler };
  return new PgBossQueue(parts, connection);
}

/** Each statement has its own text, and a server would keep all of them. */
const UNPREPARED = { prepare: false };

/** Until when jobs are kept that nobody takes. */
const RETENTION_DAYS = 366;

class PgBossQueue implements JobQueue, PgBossJobs {
  readonly #parts: PgBossParts;
  readonly #connection: Connection;

  constructor(parts: PgBossParts, connection: Connection) {
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

  /** pg-boss takes no job for a queue that there is not, and does not say so. @throws SpillwayError `bad-option` */
  async #checkQueue(): Promise<void> {
    const { boss, name } = this.#parts;
    if ((await boss.getQueue(name)) !== null) return;
    throw badOption(
      "name",
      name,
      "a queue of pg-boss that there is, by `await boss.createQueue(name)`",
    );
  }

  /** Sends a job; one that is sent again has fewer attempts left. */
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
      // Of several who cancel it, one has done it.
      await lock(connection, `${this.#parts.name} ${id}`);
      const db = bossDb(connection);
      const before = await this.#get(id, { db });
      // Only those that no worker has ever had; after a retry it may have started before.
      if (before?.state !== "created") return undefined;
      if ((before.data as BossRecord).mayHaveStarted) return undefined;
      await this.#parts.boss.cancel(this.#parts.name, id, { db });
      const after = await this.#get(id, { db });
      const isMine = after?.state === "cancelled" && after.startedOn === null;
      if (!isMine) throw new Taken();
      return after.data as JobRecord;
    }).catch((error: unknown) => {
      if (error instanceof Taken) return undefined;
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

/** A worker was quicker than who cancels. */
class Taken extends Error {}

/** Of times with microseconds, some readers leave these out and some round. */
function isSameTime(one: BossJob["startedOn"], other: BossJob["startedOn"]): boolean {
  if (one === null || other === null) return false;
  return Math.abs(new Date(one).getTime() - new Date(other).getTime()) <= 1;
}

function knownJob(job: BossJob | null): KnownJob | undefined {
  if (job === null) return undefined;
  const { startAt } = job.data as JobRecord;
  const state = stateOf(job.state);
  const output = job.output as { readonly value?: unknown; readonly message?: unknown } | null;
  const result = state === "done" ? output?.value : undefined;
  const error = state === "done" ? undefined : messageOf(output);
  return { id: job.id, state, startAt, result, error };
}

function messageOf(output: unknown): string | undefined {
  const { message, value } = (output ?? {}) as { message?: unknown; value?: { message?: unknown } };
  const text = message ?? value?.message;
  return typeof text === "string" ? text : undefined;
}

function stateOf(state: string): JobState {
  if (state === "completed") return "done";
  if (state === "failed" || state === "cancelled") return state;
  return state === "active" ? "running" : "queued";
}
