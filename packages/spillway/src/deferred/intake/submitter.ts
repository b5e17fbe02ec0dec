/** Submits work: reserves a place in the line, and adds a job to the queue. */
import type { Decision, Scheduler } from "../../limits/core/index.ts";
import type { Job, JobQueue, KnownJob, NewJob } from "../contracts.ts";
import { inTime } from "../in-time.ts";
import type { JobPacer } from "../pace/job-pacer.ts";
import { queueFailed } from "../problems.ts";
import {
  type CheckedSubmission,
  checkedAsk,
  checkedData,
  type SubmitOptions,
} from "./check-submission.ts";

/** The answer to a submission. */
export type Submission =
  /** The job is queued, or there was a job with that id already, which is this one. */
  | { readonly ok: true; readonly job: Job }
  /** The job is not queued. The decision says why, and when to retry. */
  | { readonly ok: false; readonly decision: Decision };

export type SubmitterParts = {
  readonly pace: JobPacer;
  readonly queue: Pick<JobQueue, "now" | "add" | "find">;
  readonly maxBytes: number;
  /**
   * How long each call to the queue may take, in milliseconds. Undefined in a transaction, which
   * has its own timeout.
   */
  readonly deadline: number | undefined;
  readonly scheduler: Scheduler;
};

export class Submitter {
  readonly #parts: SubmitterParts;
  /** The submissions with an id that have no answer yet, by that id. */
  readonly #underWay = new Map<string, Promise<Submission>>();

  constructor(parts: SubmitterParts) {
    this.#parts = parts;
  }

  /** @throws SpillwayError `bad-job`, `job-too-large`, `queue-failed` */
  async submit(data: unknown, options: SubmitOptions): Promise<Submission> {
    const { pace, maxBytes } = this.#parts;
    const asked = checkedAsk(options, pace.largest);
    const copy = checkedData(data, maxBytes);
    if (options.id === undefined) return this.#accept(asked, copy);
    return this.#underWay.get(asked.id) ?? this.#submitOnce(asked, copy);
  }

  /**
   * Submissions of one id at the same time share one answer. A second place in the line is not
   * needed, and may not be free.
   */
  #submitOnce(asked: CheckedSubmission, data: unknown): Promise<Submission> {
    const answer = this.#unlessKnown(asked, data).finally(() => this.#underWay.delete(asked.id));
    this.#underWay.set(asked.id, answer);
    return answer;
  }

  async #unlessKnown(asked: CheckedSubmission, data: unknown): Promise<Submission> {
    const known = await this.#find(asked.id);
    if (known !== undefined) return { ok: true, job: known };
    const submission = await this.#accept(asked, data);
    if (submission.ok || submission.decision.reason !== "limited") return submission;
    // Another process may have taken the last place for the same job.
    const job = await this.#find(asked.id);
    return job === undefined ? submission : { ok: true, job };
  }

  async #accept(asked: CheckedSubmission, data: unknown): Promise<Submission> {
    const decision = await this.#parts.pace.reserve(asked);
    if (!decision.ok) return { ok: false, decision };
    return { ok: true, job: await this.#queue(asked, data, decision) };
  }

  /**
   * Queues a job that has its place in the line. If it can't be queued, the place is given back.
   */
  async #queue(
    asked: CheckedSubmission,
    data: unknown,
    { retryAfter: wait }: Decision,
  ): Promise<Job> {
    const startAt = (await this.#now(asked)) + wait;
    const { spacing } = this.#parts.pace;
    const adding = this.#add({ ...asked, data, startAt, wait, spacing });
    if (await this.#inTime("queueing the job", adding)) return queued(asked.id, { startAt, wait });
    // Another process has submitted the same job in the meantime.
    const job = await this.#find(asked.id);
    if (job !== undefined) return job;
    throw queueFailed(
      "queueing the job",
      new Error("the queue has neither added nor found the job"),
    );
  }

  async #now(asked: CheckedSubmission): Promise<number> {
    try {
      return await this.#inTime("the queue's clock", this.#parts.queue.now());
    } catch (error) {
      await this.#giveBack(asked);
      throw error;
    }
  }

  /**
   * Adds a job. Gives its place back only if the job is surely not in the queue.
   *
   * Gives it back even after the deadline. If only the answer was lost, the job is in the queue,
   * and its place would be given back a second time when it is cancelled.
   */
  async #add(job: NewJob): Promise<boolean> {
    let isAdded: boolean;
    try {
      isAdded = await this.#parts.queue.add(job);
    } catch (error) {
      if (await this.#isNotThere(job.id)) await this.#giveBack(job);
      throw error;
    }
    if (!isAdded) await this.#giveBack(job);
    return isAdded;
  }

  async #isNotThere(id: string): Promise<boolean> {
    if (this.#isInTransaction) return false;
    return this.#find(id).then(
      (job) => job === undefined,
      () => false,
    );
  }

  async #find(id: string): Promise<Job | undefined> {
    const { queue } = this.#parts;
    return this.#inTime("looking for the job", findJob(queue, id));
  }

  /**
   * Gives a place back. If that fails, the place comes back in time by itself. In a transaction the
   * caller rolls back.
   */
  async #giveBack(asked: CheckedSubmission): Promise<void> {
    if (this.#isInTransaction) return;
    await this.#parts.pace.giveBack(asked).catch(() => {});
  }

  get #isInTransaction(): boolean {
    return this.#parts.deadline === undefined;
  }

  async #inTime<T>(what: string, promise: Promise<T>): Promise<T> {
    const { deadline, scheduler } = this.#parts;
    if (deadline === undefined) return promise;
    return inTime(promise, { what, deadline, scheduler });
  }
}

function queued(id: string, times: Pick<Job, "startAt" | "wait">): Job {
  return { id, state: "queued", ...times, result: undefined, error: undefined };
}

/** Returns a job with the time left until its start; undefined if there is none. */
export async function findJob(
  queue: Pick<JobQueue, "now" | "find">,
  id: string,
): Promise<Job | undefined> {
  const found = await queue.find(id);
  return found === undefined ? undefined : withWait(found, await queue.now());
}

function withWait(job: KnownJob, now: number): Job {
  const { id, state, startAt, result, error } = job;
  const wait = state === "queued" ? Math.max(0, startAt - now) : 0;
  return { id, state, startAt, wait, result, error };
}
