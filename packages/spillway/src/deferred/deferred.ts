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

/** How a worker works. */
export type WorkOptions = {
  /**
   * How many jobs it has at once, those among them that wait a moment for their start: 1 to 1000.
   * Default: 10. With BullMQ it is the worker's own setting.
   */
  readonly concurrency?: number | undefined;
};

const WORK = {
  concurrency: whole({ most: 1000, otherwise: 10 }),
} satisfies OptionTable<WorkOptions>;

/** Takes work in, and nothing else. */
export type JobIntake<T> = {
  /**
   * Reserves a place in the line, and queues the work.
   *
   * @returns The job and when it may start; or the refusal, where the line is full.
   * @throws SpillwayError `bad-job`, `job-too-large`; `queue-failed` where the queue gave no answer: ask
   *   again with the same id, and it is queued once.
   */
  submit(data: T, options?: SubmitOptions): Promise<Submission>;
};

/**
 * Work that is wanted but doesn't fit now: reserved, handed to a queue, and done when its time has come.
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

  /** @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind`, `bad-limit` */
  constructor(options: DeferredOptions) {
    this.#settings = checkedDeferred(options);
    this.#submitter = new Submitter(this.#settings);
    this.#turns = new JobTurns(this.#settings.scheduler);
  }

  submit(data: T, options: SubmitOptions = {}): Promise<Submission> {
    return this.#submitter.submit(data, options);
  }

  /**
   * The same in a transaction of the caller's: the place in the line, the job, and what else is written there
   * are so when it commits, and never were when it is rolled back.
   *
   * @param transaction Of any library that `limiter.within` takes one of.
   * @throws SpillwayError `no-transactions` where the limiter's store or the queue has none; `bad-transaction`
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

  /** What is known of a job; undefined where there is none, or it is forgotten. @throws SpillwayError `queue-failed` */
  async find(id: string): Promise<Job | undefined> {
    if (!isJobId(id)) return undefined;
    return this.#inTime("looking for the job", findJob(this.#settings.queue, id));
  }

  /**
   * Cancels a job that has not started, and gives its units back.
   *
   * @returns The job as it is then: `cancelled`, or what it was already; undefined where there is none.
   * @throws SpillwayError `queue-failed`
   */
  async cancel(id: string): Promise<Job | undefined> {
    if (!isJobId(id)) return undefined;
    const { queue, pace } = this.#settings;
    const record = await this.#inTime("cancelling the job", queue.cancel(id));
    // Only who has cancelled it gives back; where that fails, time does.
    if (record !== undefined) await pace.giveBack(record).catch(() => {});
    return this.find(id);
  }

  /**
   * Does jobs, each when its time has come, until the worker is closed.
   *
   * An attempt that rejects is one that failed: whether there is another one, the queue decides. A job whose
   * process died runs again. Each start, of whichever attempt, keeps the distance that the limit sets.
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
