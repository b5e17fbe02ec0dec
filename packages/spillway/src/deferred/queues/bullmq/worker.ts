import { stopper } from "../../../internal/index.ts";
import { systemClock } from "../../../limits/core/index.ts";
import type { JobOutcome, JobWorker, TakeJob, TakenJob } from "../../contracts.ts";
import { reasonOf } from "../../problems.ts";
import type { BullJob, BullJobData, BullmqQueueOptions } from "./contracts.ts";
import type { BullmqMarks } from "./marks.ts";

/** BullMQ's default for how long a worker's lock lasts, in milliseconds. */
const LOCK = 30_000;

type BullmqWorkerParts = { readonly take: TakeJob; readonly marks: BullmqMarks };
type MakeWorker = NonNullable<BullmqQueueOptions["worker"]>;

/** Creates a worker that takes jobs through a `Worker` of BullMQ. */
export function bullmqWorker(make: MakeWorker, { take, marks }: BullmqWorkerParts): JobWorker {
  const losing = new Map<string, (reason: unknown) => void>();
  const made = make(async (job, token = "") => {
    const { signal, stop } = stopper();
    const id = job.id ?? "";
    losing.set(id, stop);
    try {
      const lock = made.opts.lockDuration ?? LOCK;
      const taken = takenJob(job, { lock, signal, token, marks });
      return await settled(await take(taken), job, token);
    } catch (error) {
      // BullMQ can record only an `Error` as a failure. Otherwise the job would stay until its lock
      // expires.
      throw error instanceof Error ? error : new Error(reasonOf(error), { cause: error });
    } finally {
      losing.delete(id);
    }
  });
  made.on("lockRenewalFailed", (ids) => {
    for (const id of ids) losing.get(id)?.(new Error("the lock of the job is lost"));
  });
  return { close: async () => void (await made.close()) };
}

type LockedJob = Pick<TakenJob, "signal"> & {
  readonly lock: number;
  readonly token: string;
  readonly marks: BullmqMarks;
};

function takenJob(job: BullJob, { lock, signal, token, marks }: LockedJob): TakenJob {
  const id = job.id ?? "";
  const { record, taken } = job.data as BullJobData;
  return {
    ...record,
    id,
    isFresh: job.attemptsStarted === taken + 1,
    signal,
    heldFor: async () => ((await job.extendLock(token, lock)) === 1 ? lock : 0),
    begin: () => marks.start(id, record),
  };
}

/** Returns or throws what a processor of BullMQ must for an outcome. */
async function settled(outcome: JobOutcome, job: BullJob, token: string): Promise<unknown> {
  if (outcome.type === "done") return outcome.result;
  if (outcome.type === "cancelled") return undefined;
  // If this fails, the lock expires and BullMQ finds the job. This does not count as a failed
  // attempt.
  if (outcome.type === "later") await postpone(outcome, job, token).catch(() => {});
  throw new DelayedError();
}

type PostponedOutcome = Extract<JobOutcome, { type: "later" }>;

async function postpone(
  { startAt, wait }: PostponedOutcome,
  job: BullJob,
  token: string,
): Promise<void> {
  const { record, ...rest } = job.data as BullJobData;
  const moved = { ...rest, record: { ...record, startAt }, taken: job.attemptsStarted };
  await job.updateData(moved as never);
  await job.moveToDelayed(systemClock() + wait, token);
}

/** Recognized by BullMQ by its name: the job was moved, and is neither done nor failed. */
class DelayedError extends Error {
  override readonly name = "DelayedError";
}
