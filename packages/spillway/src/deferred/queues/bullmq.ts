import { DAY, systemClock } from "../../core/index.ts";
import { badOption, checkOptions, checkWhole } from "../../internal/index.ts";
import type {
  JobQueue,
  JobRecord,
  JobState,
  JobWorker,
  KnownJob,
  NewJob,
  Outcome,
  TakeJob,
  TakenJob,
} from "../contracts.ts";
import { newJobId } from "../job-id.ts";
import { aborting } from "./aborting.ts";
import { type RedisCommands, redisCommands } from "./redis-commands.ts";

/** What is needed of a job of BullMQ. */
export type BullJob = {
  readonly id?: string | undefined;
  readonly data: unknown;
  readonly attemptsStarted: number;
  readonly returnvalue: unknown;
  readonly failedReason?: string | undefined;
  getState(): Promise<string>;
  updateData(data: never): Promise<unknown>;
  moveToDelayed(timestamp: number, token?: string): Promise<unknown>;
  extendLock(token: string, ms: number): Promise<number>;
  remove(): Promise<unknown>;
};

/** What is needed of a `Queue`. */
export type BullQueue = {
  readonly name: string;
  add(name: never, data: never, options: object): Promise<unknown>;
  getJob(id: string): Promise<BullJob | undefined>;
};

/** What is needed of a `Worker`. */
export type BullWorker = {
  readonly opts: { readonly lockDuration?: number | undefined };
  on(event: "lockRenewalFailed", listener: (ids: string[]) => void): unknown;
  close(): Promise<unknown>;
};

/** What a `Worker` calls for each job. */
export type BullProcessor = (job: BullJob, token?: string) => Promise<unknown>;

/** Settings of a queue of BullMQ. Times are milliseconds. */
export type BullmqQueueOptions = {
  /** A client of ioredis or node-redis on the same Redis: its clock is the queue's, and it settles who was first. */
  readonly redis: object;
  /** Makes the worker: `(processor) => new Worker(name, processor, { connection })`. Not needed to ask for work. */
  readonly worker?: ((processor: BullProcessor) => BullWorker) | undefined;
  /** How often a job is started that fails: 1 to 100. Default: 3. */
  readonly attempts?: number | undefined;
  /** The wait before the second attempt, which doubles from attempt to attempt: 0 to a day. Default: 1000. */
  readonly backoff?: number | undefined;
  /** How long jobs are remembered that are over: 1000 to 366 days. Default: a day. */
  readonly keep?: number | undefined;
};

const NAMES: readonly (keyof BullmqQueueOptions)[] = [
  "redis",
  "worker",
  "attempts",
  "backoff",
  "keep",
];

/** Default of BullMQ for how long a worker's lock lasts. */
const LOCK = 30_000;

/**
 * Jobs in a queue of BullMQ 6, on Redis. Give the queue no other jobs.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`, `bad-client`
 */
export function bullmqQueue(queue: BullQueue, options: BullmqQueueOptions): JobQueue {
  checkOptions("bullmqQueue", options, NAMES);
  const { worker, attempts = 3, backoff = 1000, keep = DAY } = options;
  if (typeof (queue as Partial<BullQueue> | undefined)?.getJob !== "function") {
    throw badOption("queue", queue, "a Queue of BullMQ");
  }
  checkWhole("attempts", attempts, { most: 100 });
  checkWhole("backoff", backoff, { least: 0, most: DAY });
  checkWhole("keep", keep, { least: 1000, most: 366 * DAY });
  const redis = redisCommands(options.redis);
  return new BullmqQueue({ queue, redis, worker, attempts, backoff, keep });
}

type Parts = {
  readonly queue: BullQueue;
  readonly redis: RedisCommands;
  readonly worker: BullmqQueueOptions["worker"];
  readonly attempts: number;
  readonly backoff: number;
  readonly keep: number;
};

/** What is kept as a job's data. */
type Stored = {
  readonly record: JobRecord;
  /** How often the job had been taken when its time was reserved: taken once more, the time is its own. */
  readonly taken: number;
  /** Who has queued it: distinguishes a job that was added from one that was there. */
  readonly by: string;
};

class BullmqQueue implements JobQueue {
  readonly precision = 1000;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async now(): Promise<number> {
    return this.#parts.redis.time();
  }

  async add({ id, wait, ...record }: NewJob): Promise<boolean> {
    const { queue, attempts, backoff, keep } = this.#parts;
    const stored: Stored = { record, taken: 0, by: newJobId() };
    const age = Math.ceil(keep / 1000);
    await queue.add("deferred" as never, stored as never, {
      jobId: id,
      // By the clock of Redis: those of processes may differ.
      timestamp: record.startAt - wait,
      delay: wait,
      attempts,
      backoff: { type: "exponential", delay: backoff },
      removeOnComplete: { age },
      removeOnFail: { age },
    });
    const job = await queue.getJob(id);
    // Done and removed already, where it is not there.
    return job === undefined || (job.data as Stored).by === stored.by;
  }

  async find(id: string): Promise<KnownJob | undefined> {
    const mark = await this.#parts.redis.get(this.#mark(id));
    if (mark !== undefined && mark !== STARTED) {
      const { startAt } = JSON.parse(mark) as JobRecord;
      return { id, state: "cancelled", startAt, result: undefined, error: undefined };
    }
    const job = await this.#parts.queue.getJob(id);
    const state = job === undefined ? undefined : stateOf(await job.getState());
    if (job === undefined || state === undefined) return undefined;
    const { startAt } = (job.data as Stored).record;
    const result = state === "done" ? job.returnvalue : undefined;
    return { id, state, startAt, result, error: job.failedReason };
  }

  /**
   * Whoever writes the mark first has the job: who cancels it, or who starts it. So it does not matter in what
   * state the queue has it meanwhile.
   */
  async cancel(id: string): Promise<JobRecord | undefined> {
    const { queue, redis } = this.#parts;
    const job = await queue.getJob(id);
    if (job === undefined) return undefined;
    const { record } = job.data as Stored;
    const mark = JSON.stringify({ startAt: record.startAt });
    const isFirst = await redis.setOnce(this.#mark(id), mark, this.#keepMark(record));
    if (!isFirst) return undefined;
    // A worker that has it finds the mark.
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
    const losing = new Map<string, (reason: unknown) => void>();
    const made = worker(async (job, token = "") => {
      const { signal, abort } = watched();
      const id = job.id ?? "";
      losing.set(id, abort);
      try {
        const held = { lock: made.opts.lockDuration ?? LOCK, signal, token };
        return await this.#done(await take(this.#taken(job, held)), job, token);
      } finally {
        losing.delete(id);
      }
    });
    made.on("lockRenewalFailed", (ids) => {
      for (const id of ids) losing.get(id)?.(new Error("the lock of the job is lost"));
    });
    return { close: async () => void (await made.close()) };
  }

  #taken(job: BullJob, { lock, signal, token }: Held): TakenJob {
    const id = job.id ?? "";
    const { record, taken } = job.data as Stored;
    return {
      ...record,
      id,
      isFresh: job.attemptsStarted === taken + 1,
      signal,
      heldFor: async () => ((await job.extendLock(token, lock)) === 1 ? lock : 0),
      begin: async () => {
        const { redis } = this.#parts;
        if (await redis.setOnce(this.#mark(id), STARTED, this.#keepMark(record))) return true;
        return (await redis.get(this.#mark(id))) === STARTED;
      },
    };
  }

  async #done(outcome: Outcome, job: BullJob, token: string): Promise<unknown> {
    if (outcome.type === "done") return outcome.result;
    if (outcome.type === "cancelled") return undefined;
    // Where that fails the lock runs out, and BullMQ finds the job: no attempt has failed.
    if (outcome.type === "later") await this.#postpone(outcome, job, token).catch(() => {});
    throw new DelayedError();
  }

  async #postpone({ startAt, wait }: Later, job: BullJob, token: string): Promise<void> {
    const { record, ...rest } = job.data as Stored;
    const moved = { ...rest, record: { ...record, startAt }, taken: job.attemptsStarted };
    await job.updateData(moved as never);
    await job.moveToDelayed(systemClock() + wait, token);
  }

  /** As long as the job is known. */
  #keepMark({ startAt }: JobRecord): number {
    const { keep } = this.#parts;
    return Math.max(0, startAt - systemClock()) + Math.max(keep, MARK) + DAY;
  }

  #mark(id: string): string {
    return `spillway:deferred:${this.#parts.queue.name}:${id}`;
  }
}

type Later = Extract<Outcome, { type: "later" }>;

type Held = {
  readonly lock: number;
  readonly token: string;
  readonly signal: TakenJob["signal"];
};

const STARTED = "started";
/** A job may be retried for so long after its first start. */
const MARK = 7 * DAY;

/** BullMQ knows it by its name: the job is where it belongs, and neither done nor failed. */
class DelayedError extends Error {
  override readonly name = "DelayedError";
}

function watched() {
  const controller = aborting();
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}

function stateOf(state: string): JobState | undefined {
  if (state === "completed") return "done";
  if (state === "failed") return "failed";
  if (state === "active") return "running";
  return state === "unknown" ? undefined : "queued";
}
