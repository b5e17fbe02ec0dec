import {
  badOption,
  checkFunction,
  type OptionTable,
  readOptions,
  whole,
} from "../internal/index.ts";
import { SpillwayError } from "../limits/core/index.ts";
import type { Job, JobWorker } from "./contracts.ts";
import { inTime } from "./in-time.ts";
import type { SubmitOptions } from "./intake/check-submission.ts";
import { findJob, type Submission, Submitter } from "./intake/submitter.ts";
import { isJobId } from "./job-id.ts";
import { checkedDeferred, type DeferredOptions, type DeferredSettings } from "./options.ts";
import { JobTurns } from "./starts/job-turns.ts";
import { type StartedJob, startJob } from "./starts/start-job.ts";

/** Options of a worker. */
export type WorkOptions = {
  /**
   * The maximum number of jobs at once, from 1 to 1000, including jobs that wait briefly for their
   * start. Default: 10. With BullMQ, the worker's own setting applies instead.
   */
  readonly concurrency?: number | undefined;
};

const WORK = {
  concurrency: whole({ most: 1000, otherwise: 10 }),
} satisfies OptionTable<WorkOptions>;

/** Accepts work, and nothing else. */
export type JobIntake<T> = {
  /**
   * Reserves a place in the line, and queues a job.
   *
   * @returns The job and when it may start; or the refusal, for example if the line is full.
   * @throws SpillwayError `bad-job`, `job-too-large`; `queue-failed` if the queue did not answer.
   * Then retry with the same id, and the job is queued only once.
   */
  submit(data: T, options?: SubmitOptions): Promise<Submission>;
};

/**
 * Accepts work and does it later: reserves a start under a limit, queues a job, and runs it then.
 *
 * @example
 * const mailing = new Deferred<Mail>({ limiter, limit: "mailing", queue: memoryQueue() });
 * mailing.work(({ data }) => send(data));
 * const answer = await mailing.submit({ to: "ada@example.com" });
 */
export class Deferred<T = unknown> implements JobIntake<T> {
  readonly #settings: DeferredSettings;
  readonly #submitter: Submitter;
  readonly #turns: JobTurns;

  /**
   * Checks the options. @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`,
   * `wrong-kind`, `bad-limit`
   */
  constructor(options: DeferredOptions) {
    this.#settings = checkedDeferred(options);
    this.#submitter = new Submitter(this.#settings);
    this.#turns = new JobTurns(this.#settings.scheduler);
  }

  submit(data: T, options: SubmitOptions = {}): Promise<Submission> {
    return this.#submitter.submit(data, options);
  }

  /**
   * Accepts work in a transaction of the caller's.
   *
   * The place in the line, the job, and the caller's own writes take effect together when the
   * transaction commits. If it is rolled back, none of them does.
   *
   * @param transaction A transaction of any library that `limiter.within` accepts.
   * @throws SpillwayError `no-transactions` if the limiter's store or the queue has none;
   * `bad-transaction`
   */
  within(transaction: object): JobIntake<T> {
    const { pace, queue } = this.#settings;
    if (queue.within === undefined) {
      throw new SpillwayError({
        code: "no-transactions",
        field: "queue",
        value: queue,
        expected: "a queue in a database, such as pgBossQueue",
      });
    }
    const inside = { pace: pace.within(transaction), queue: queue.within(transaction) };
    const submitter = new Submitter({ ...this.#settings, ...inside, deadline: undefined });
    return { submit: (data, options = {}) => submitter.submit(data, options) };
  }

  /**
   * Returns a job; undefined if there is none, or it is no longer kept. @throws SpillwayError
   * `queue-failed`
   */
  async find(id: string): Promise<Job | undefined> {
    if (!isJobId(id)) return undefined;
    return this.#inTime("looking for the job", findJob(this.#settings.queue, id));
  }

  /**
   * Cancels a job that has not started, and gives its units back.
   *
   * @returns The job afterwards: `cancelled`, or in the state that it had; undefined if there is
   * none.
   * @throws SpillwayError `queue-failed`
   */
  async cancel(id: string): Promise<Job | undefined> {
    if (!isJobId(id)) return undefined;
    const { queue, pace } = this.#settings;
    const record = await this.#inTime("cancelling the job", queue.cancel(id));
    // Only the call that has cancelled the job gives the units back. If that fails, they come back
    // in time by themselves.
    if (record !== undefined) await pace.giveBack(record).catch(() => {});
    return this.find(id);
  }

  /**
   * Runs jobs, each when its time has come, until the worker is closed.
   *
   * An attempt that rejects has failed; the queue decides whether there is another one. A job whose
   * process died runs again. Every start, also of a further attempt, keeps the distance that the
   * limit sets.
   *
   * @throws SpillwayError `bad-option`
   */
  work(run: (work: StartedJob<T>) => unknown, options: WorkOptions = {}): JobWorker {
    if (run === undefined) throw badOption("run", run, "the function that does the work");
    checkFunction("run", run, "the function that does the work");
    const { concurrency } = readOptions({ of: "work" }, options, WORK);
    const { queue, pace, scheduler, grace, deadline } = this.#settings;
    const context = {
      turns: this.#turns,
      queue,
      pace,
      scheduler,
      grace,
      deadline,
      run: run as (work: StartedJob) => unknown,
    };
    return queue.work((job) => startJob(job, context), { concurrency });
  }

  #inTime<R>(what: string, promise: Promise<R>): Promise<R> {
    const { deadline, scheduler } = this.#settings;
    return inTime(promise, { what, deadline, scheduler });
  }
}
