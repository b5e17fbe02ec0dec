/** Wraps queues of foreign code: a method that throws, or returns an invalid value, rejects. */
import { abandon, badObject } from "../internal/index.ts";
import { display } from "../limits/core/index.ts";
import type { JobQueue, JobWorker } from "./contracts.ts";

type CheckedCalls = Pick<JobQueue, "now" | "add" | "find">;

/** Returns the queue with checks of all that it returns. */
export function checkedQueue(queue: JobQueue): JobQueue {
  const { within } = queue;
  return {
    ...inner(queue),
    precision: queue.precision,
    cancel: async (id) => answer("cancel", await queue.cancel(id), isRecord),
    work: (take, options) => workerOf(queue.work(take, options)),
    ...(within && { within: (transaction) => inner(within.call(queue, transaction)) }),
  };
}

function inner(queue: CheckedCalls): CheckedCalls {
  return {
    now: async () => answer("now", await queue.now(), Number.isFinite),
    add: async (job) => answer("add", await queue.add(job), (value) => typeof value === "boolean"),
    find: async (id) => answer("find", await queue.find(id), isRecord),
  };
}

/**
 * Checks that a worker can be closed. A promise of a worker is not awaited. @throws
 * SpillwayError `bad-option`
 */
function workerOf(worker: JobWorker): JobWorker {
  if (typeof (worker as Partial<JobWorker> | undefined)?.close === "function") return worker;
  abandon(worker);
  throw badObject("queue.work", worker, "a function that returns a worker, at once");
}

/** Whether a value is undefined, a job, or a job's record. */
function isRecord(value: unknown): boolean {
  return value === undefined || Number.isFinite((value as { startAt?: unknown } | null)?.startAt);
}

function answer<T>(method: string, value: T, isRight: (value: unknown) => boolean): T {
  if (isRight(value)) return value;
  throw new Error(`the queue's ${method} returned ${display(value)}`);
}
