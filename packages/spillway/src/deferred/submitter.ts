/** Takes work in: a place in the line, and a job in the queue. */
import type { Decision, Scheduler } from "../core/index.ts";
import { checkOptions } from "../internal/index.ts";
import type { Job, JobQueue, KnownJob } from "./contracts.ts";
import { inTime } from "./in-time.ts";
import { isJobId, newJobId } from "./job-id.ts";
import type { Pace } from "./pace.ts";
import { badJob, queueFailed, tooLarge } from "./problems.ts";

/** How one piece of work is asked for. */
export type SubmitOptions = {
  /** A UUID in lower case, for what may be asked for twice: `jobId(user, key)` makes one. Default: a new one. */
  readonly id?: string | undefined;
  /** Whose budget it is. Left out, the limit is one global budget. */
  readonly key?: string | undefined;
  /** How many units it takes: with a leaky bucket 1, else at most the capacity. Default: 1. */
  readonly count?: number | undefined;
};

/** The answer to work that was asked for. */
export type Submission =
  /** It is queued; or there is a job with that id already, and this is it. */
  | { readonly ok: true; readonly job: Job }
  /** It is not: the decision says why, and when to ask again. */
  | { readonly ok: false; readonly decision: Decision };

export type SubmitterParts = {
  readonly pace: Pace;
  readonly queue: Pick<JobQueue, "now" | "add" | "find">;
  readonly maxBytes: number;
  /** Of the queue; undefined in a transaction, which has its own. */
  readonly deadline: number | undefined;
  readonly scheduler: Scheduler;
};

const NAMES: readonly (keyof SubmitOptions)[] = ["id", "key", "count"];

type Asked = { readonly id: string; readonly key: string | undefined; readonly count: number };

export class Submitter {
  readonly #parts: SubmitterParts;

  constructor(parts: SubmitterParts) {
    this.#parts = parts;
  }

  /** @throws SpillwayError `bad-job`, `job-too-large`, `queue-failed` */
  async submit(data: unknown, options: SubmitOptions): Promise<Submission> {
    const { pace, maxBytes } = this.#parts;
    const asked = checkedAsk(options, pace.largest);
    checkData(data, maxBytes);
    if (options.id !== undefined) {
      const job = await this.#find(asked.id);
      if (job !== undefined) return { ok: true, job };
    }
    const decision = await pace.reserve(asked);
    if (!decision.ok) return { ok: false, decision };
    return { ok: true, job: await this.#queue(asked, data, decision) };
  }

  /** Queues what has its place in the line; what is not queued gives the place back. */
  async #queue(asked: Asked, data: unknown, { retryAfter }: Decision): Promise<Job> {
    const { queue } = this.#parts;
    let isAdded = false;
    try {
      const now = await this.#inTime("the queue's clock", queue.now());
      const startAt = now + retryAfter;
      const job = { ...asked, data, startAt, wait: retryAfter };
      isAdded = await this.#inTime("queueing the job", queue.add(job));
      if (isAdded) return queued(asked.id, { startAt, wait: retryAfter });
    } finally {
      // In a transaction it is the caller's to roll back.
      if (!isAdded && this.#parts.deadline !== undefined) await this.#giveBack(asked);
    }
    // Somebody else has asked for the same job meanwhile.
    const job = await this.#find(asked.id);
    if (job !== undefined) return job;
    throw queueFailed("queueing the job", new Error("the queue has neither taken nor found it"));
  }

  async #find(id: string): Promise<Job | undefined> {
    const { queue } = this.#parts;
    return this.#inTime("looking for the job", findJob(queue, id));
  }

  /** What fails here is given back by time itself. */
  async #giveBack(asked: Asked): Promise<void> {
    await this.#parts.pace.giveBack(asked).catch(() => {});
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

function checkedAsk(options: SubmitOptions, largest: number): Asked {
  checkOptions("submit", options, NAMES);
  const { id = newJobId(), key, count = 1 } = options;
  if (!isJobId(id)) throw badJob("id", id, "a UUID in lower case; jobId(user, key) makes one");
  if (key !== undefined && typeof key !== "string") throw badJob("key", key, "text");
  if ("key" in options && key === undefined) {
    throw badJob("key", key, "text; leave it out for one budget of all");
  }
  if (!Number.isInteger(count) || count < 1 || count > largest) {
    throw badJob(
      "count",
      count,
      `a whole number from 1 to ${largest}, as many as can start at once`,
    );
  }
  return { id, key, count };
}

/** @throws SpillwayError `bad-job`, `job-too-large` */
function checkData(data: unknown, most: number): void {
  let text: string | undefined;
  try {
    text = JSON.stringify(data);
  } catch (error) {
    throw badJob("data", data, `what JSON can carry (${(error as Error).message})`);
  }
  if (text === undefined) throw badJob("data", data, "what JSON can carry");
  const bytes = text.length > most ? text.length : utf8Bytes(text);
  if (bytes > most) throw tooLarge(bytes, most);
}

/** How many bytes a text has in UTF-8. */
function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
