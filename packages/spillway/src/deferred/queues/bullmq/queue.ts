import {
  badOption,
  checkMethod,
  given,
  type OptionsOf,
  type OptionTable,
  readOptions,
  whole,
} from "../../../internal/index.ts";
import { DAY, LONGEST, SECOND, SpillwayError } from "../../../limits/core/index.ts";
import type {
  JobQueue,
  JobRecord,
  JobState,
  JobWorker,
  KnownJob,
  NewJob,
  TakeJob,
} from "../../contracts.ts";
import { newJobId } from "../../job-id.ts";
import type { BullJobData, BullmqQueueOptions, BullmqRedisClient, BullQueue } from "./contracts.ts";
import { BullmqMarks } from "./marks.ts";
import { bullmqWorker } from "./worker.ts";

const TABLE = {
  redis: checkedRedis,
  worker: given<BullmqQueueOptions["worker"]>(),
  attempts: whole({ most: 100, otherwise: 3 }),
  backoff: whole({ least: 0, most: DAY, otherwise: SECOND }),
  keep: whole({ least: SECOND, most: LONGEST, otherwise: DAY }),
} satisfies OptionTable<BullmqQueueOptions>;

type BullmqQueueParts = OptionsOf<typeof TABLE> & { readonly queue: BullQueue };

/**
 * Creates a job queue on a queue of BullMQ 6, in Redis. Give that queue no other jobs.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`, `bad-client`
 */
export function bullmqQueue(queue: BullQueue, options: BullmqQueueOptions): JobQueue {
  const settings = readOptions({ of: "bullmqQueue" }, options, TABLE);
  checkMethod("queue", queue, { method: "getJob", expected: "a Queue of BullMQ" });
  return new BullmqQueue({ queue, ...settings });
}

function checkedRedis(value: unknown): BullmqRedisClient {
  if (typeof (value as Partial<BullmqRedisClient> | undefined)?.call === "function")
    return value as BullmqRedisClient;
  const problem = { field: "redis", value, isPrivate: true, expected: "a client of ioredis" };
  throw new SpillwayError({ code: "bad-client", ...problem });
}

class BullmqQueue implements JobQueue {
  readonly precision = 1000;
  readonly #parts: BullmqQueueParts;
  readonly #marks: BullmqMarks;

  constructor(parts: BullmqQueueParts) {
    const { redis, queue, keep } = parts;
    this.#parts = parts;
    this.#marks = new BullmqMarks(redis, { name: queue.name, keep });
  }

  async now(): Promise<number> {
    const [seconds, micros] = (await this.#parts.redis.call("TIME")) as [string, string];
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }

  async add({ id, wait, ...record }: NewJob): Promise<boolean> {
    const { queue, attempts, backoff, keep } = this.#parts;
    const stored: BullJobData = { record, taken: 0, by: newJobId() };
    const age = Math.ceil(keep / 1000);
    await queue.add("deferred" as never, stored as never, {
      jobId: id,
      // By the clock of Redis, because the clocks of processes may differ.
      timestamp: record.startAt - wait,
      delay: wait,
      attempts,
      backoff: { type: "exponential", delay: backoff },
      removeOnComplete: { age },
      removeOnFail: { age },
    });
    const job = await queue.getJob(id);
    // If the job is missing, it is already done and removed.
    return job === undefined || (job.data as BullJobData).by === stored.by;
  }

  async find(id: string): Promise<KnownJob | undefined> {
    const cancelled = await this.#marks.cancelled(id);
    if (cancelled !== undefined) {
      const rest = { startAt: cancelled, result: undefined, error: undefined };
      return { id, state: "cancelled", ...rest };
    }
    const job = await this.#parts.queue.getJob(id);
    const state = job === undefined ? undefined : stateOf(await job.getState());
    if (job === undefined || state === undefined) return undefined;
    const { startAt } = (job.data as BullJobData).record;
    const result = state === "done" ? job.returnvalue : undefined;
    return { id, state, startAt, result, error: job.failedReason };
  }

  async cancel(id: string): Promise<JobRecord | undefined> {
    const job = await this.#parts.queue.getJob(id);
    if (job === undefined) return undefined;
    const { record } = job.data as BullJobData;
    if (!(await this.#marks.cancel(id, record))) return undefined;
    // A worker that already has the job finds the mark, and does not start it.
    await job.remove().catch(() => {});
    return record;
  }

  work(take: TakeJob): JobWorker {
    const { worker } = this.#parts;
    if (typeof worker !== "function") {
      throw badOption(
        "worker",
        worker,
        "(processor) => new Worker(name, processor, { connection })",
      );
    }
    return bullmqWorker(worker, { take, marks: this.#marks });
  }
}

function stateOf(state: string): JobState | undefined {
  if (state === "completed") return "done";
  if (state === "failed") return "failed";
  if (state === "active") return "running";
  return state === "unknown" ? undefined : "queued";
}
