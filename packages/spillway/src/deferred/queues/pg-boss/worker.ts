import { pause, stopper } from "../../../internal/index.ts";
import type { JobOutcome, JobRecord, JobWorker, TakeJob, TakenJob } from "../../contracts.ts";
import { reasonOf } from "../../problems.ts";
import { isStorable } from "../../storable.ts";
import type { BossJob, BossRecord, PgBossJobs, PgBossParts } from "./contracts.ts";

type PgBossWorkerParts = PgBossParts & {
  readonly queue: PgBossJobs;
  readonly take: TakeJob;
  readonly concurrency: number;
};

/** The pause between two tries to report an outcome, in milliseconds. */
const PAUSE = 500;

/**
 * Fetches jobs and reports their outcomes.
 *
 * It does not use pg-boss's own `work`, which ends a batch of jobs together and can't postpone a
 * job.
 */
export class PgBossWorker implements JobWorker {
  readonly #parts: PgBossWorkerParts;
  readonly #under = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  #isClosed = false;
  #wake: () => void = () => {};

  constructor(parts: PgBossWorkerParts) {
    this.#parts = parts;
    this.#loop = this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#loop;
    await Promise.all(this.#under);
  }

  async #run(): Promise<void> {
    const { concurrency, poll, scheduler } = this.#parts;
    while (!this.#isClosed) {
      const free = concurrency - this.#under.size;
      // The time of a job counts from before the fetch.
      const asked = scheduler.elapsed();
      const jobs = free > 0 ? await this.#fetch(free) : [];
      for (const job of jobs) this.#handle(job, asked);
      if (jobs.length < free || free === 0) await this.#idle(poll);
    }
  }

  #fetch(batchSize: number): Promise<readonly BossJob[]> {
    const { boss, name } = this.#parts;
    // A failed fetch is repeated after a pause.
    return boss.fetch(name, { batchSize, includeMetadata: true }).catch(() => []);
  }

  /** Waits until the next poll, or until the worker is closed. */
  #idle(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const callOff = this.#parts.scheduler.alarm(ms, resolve);
    this.#wake = () => {
      callOff();
      resolve();
    };
    return promise;
  }

  #handle(job: BossJob, asked: number): void {
    const under: Promise<void> = this.#do(job, asked).finally(() => this.#under.delete(under));
    this.#under.add(under);
  }

  async #do(job: BossJob, asked: number): Promise<void> {
    const { boss, name, take, longest, scheduler, queue } = this.#parts;
    const until = asked + queue.expiry;
    const { signal, stop } = stopper();
    const expired = () => stop(new Error(`the job took longer than ${longest} ms`));
    const callOff = scheduler.alarm(until - scheduler.elapsed(), expired);
    let say: () => Promise<unknown>;
    try {
      const outcome = await take(this.#taken(job, { until, signal }));
      say = () => this.#saying(outcome, job);
    } catch (error) {
      const message = reasonOf(error).replaceAll("\0", "").toWellFormed();
      say = () => boss.fail(name, job.id, { message });
    } finally {
      callOff();
    }
    await this.#sayInTime(say, until);
  }

  #taken(job: BossJob, { until, signal }: Pick<TakenJob, "signal"> & { until: number }): TakenJob {
    const { longest, scheduler } = this.#parts;
    const record = job.data as JobRecord;
    return {
      ...record,
      key: record.key ?? undefined,
      id: job.id,
      isFresh: job.retryCount === 0,
      signal,
      // The job starts only while its whole time is still left.
      heldFor: async () => until - longest - scheduler.elapsed(),
      // A job that a worker has can't be cancelled.
      begin: async () => true,
    };
  }

  async #saying(outcome: JobOutcome, job: BossJob): Promise<void> {
    const { boss, name, queue } = this.#parts;
    if (outcome.type === "done") {
      const { result = null } = outcome;
      await boss.complete(name, job.id, { value: isStorable(result) ? result : null });
    } else if (outcome.type !== "cancelled") {
      const record = job.data as BossRecord;
      const mayHaveStarted = record.mayHaveStarted || job.retryCount > 0 ? true : undefined;
      // Too little time was left to start the job. It still belongs to this worker, and no other
      // worker would have it until that time is over.
      const { startAt, wait } = outcome.type === "lost" ? { ...record, wait: 0 } : outcome;
      await queue.postpone(job, { ...record, mayHaveStarted, id: job.id, startAt, wait });
    }
  }

  /**
   * Repeats the report while the database is unavailable, because otherwise the job would run
   * twice.
   */
  async #sayInTime(say: () => Promise<unknown>, until: number): Promise<void> {
    const { scheduler } = this.#parts;
    while (scheduler.elapsed() < until) {
      try {
        await say();
        return;
      } catch {
        await pause(PAUSE, { scheduler });
      }
    }
  }
}
