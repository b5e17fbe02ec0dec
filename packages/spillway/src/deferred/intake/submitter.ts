/** Takes work in: a place in the line, and a job in the queue. */
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

/** The answer to work that was asked for. */
export type Submission =
  /** It is queued; or there is a job with that id already, and this is it. */
  | { readonly ok: true; readonly job: Job }
  /** It is not: the decision says why, and when to ask again. */
  | { readonly ok: false; readonly decision: Decision };

export type SubmitterParts = {
  readonly pace: JobPacer;
  readonly queue: Pick<JobQueue, "now" | "add" | "find">;
  readonly maxBytes: number;
  /** Of the queue; undefined in a transaction, which has its own. */
  readonly deadline: number | undefined;
  readonly scheduler: Scheduler;
};

export class Submitter {
  readonly #parts: SubmitterParts;
  /** What is asked for by an id, and has no answer yet. */
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

  /** Who asks for the same meanwhile has the same answer: another place in the line is not needed, and may not be there. */
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
    // The last place may have been taken for the same job, by another process.
    const job = await this.#find(asked.id);
    return job === undefined ? submission : { ok: true, job };
  }

  async #accept(asked: CheckedSubmission, data: unknown): Promise<Submission> {
    const decision = await this.#parts.pace.reserve(asked);
    if (!decision.ok) return { ok: false, decision };
    return { ok: true, job: await this.#queue(asked, data, decision) };
  }

  /** Queues what has its place in the line; what is not queued gives the place back. */
  async #queue(
    asked: CheckedSubmission,
    data: unknown,
    { retryAfter: wait }: Decision,
  ): Promise<Job> {
    const startAt = (await this.#now(asked)) + wait;
    const { spacing } = this.#parts.pace;
    const adding = this.#add({ ...asked, data, startAt, wait, spacing });
    if (await this.#inTime("queueing the job", adding)) return queued(asked.id, { startAt, wait });
    // Somebody else has asked for the same job meanwhile.
    const job = await this.#find(asked.id);
    if (job !== undefined) return job;
    throw queueFailed("queueing the job", new Error("the queue has neither taken nor found it"));
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
   * Gives the place back only of a job that is surely not there, also where that is known after the deadline:
   * a job whose answer was lost would have its place given back again when it is cancelled.
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

  /** What fails here is given back by time itself; in a transaction it is the caller's to roll back. */
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

/** A job, with the time that is left until its start. */
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
