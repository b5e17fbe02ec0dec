/** What a worker does with a job: waits for its time, passes the gate, and does the work. */
import { DAY, type Scheduler } from "../core/index.ts";
import type { JobQueue, JobSignal, Outcome, TakenJob } from "./contracts.ts";
import type { Pace } from "./pace.ts";
import { pause } from "./pause.ts";

/** What the work is given. */
export type Work<T = unknown> = {
  readonly id: string;
  readonly data: T;
  readonly key: string | undefined;
  /** The time that was reserved for it, by the queue's clock. */
  readonly startAt: number;
  /** Aborted when another worker may have the job: stop then, for it runs again elsewhere. */
  readonly signal: JobSignal;
};

export type StartContext = {
  readonly queue: JobQueue;
  readonly pace: Pace;
  readonly scheduler: Scheduler;
  /** How much later than its time a job may start without a new place in the line. */
  readonly grace: number;
  readonly run: (work: Work) => unknown;
};

/** A worker keeps a job for a wait up to so many times the queue's precision; longer waits are the queue's. */
const KEPT = 2;
/** Between two tries while a store gives no answer. */
const PAUSE = 500;
/** In all, a job is kept for so many times that precision before it starts, at most. */
export const LONGEST_KEPT = 10;
/** How often the gate is passed anew by a start that came too late after it. */
const PASSES = 3;

/** Brings a job that was taken to its start, and does it; or answers when it is to be taken again. */
export async function startJob(job: TakenJob, context: StartContext): Promise<Outcome> {
  const { scheduler, queue } = context;
  const taken = scheduler.elapsed();
  let waiting = job;
  for (let passes = 1; ; ) {
    // What fails before the start is no attempt of the job's.
    const step = await nextStep(waiting, context).catch(() => undefined);
    if (step?.type === "lost") return step;
    if (step?.type === "go") {
      const isLast = passes++ === PASSES;
      const outcome = await begin(step.job, { ...step.times, isLast }, context);
      if (outcome !== undefined) return outcome;
      continue;
    }
    const isLong = scheduler.elapsed() - taken >= LONGEST_KEPT * queue.precision;
    const { startAt, wait } = step ?? { startAt: waiting.startAt, wait: PAUSE };
    if (isLong || wait > KEPT * queue.precision) return { type: "later", startAt, wait };
    waiting = step?.job ?? waiting;
    await pause(wait, scheduler);
  }
}

type Step =
  | { readonly type: "go"; readonly job: TakenJob; readonly times: Times }
  | { readonly type: "lost" }
  /** It may not start before. */
  | {
      readonly type: "wait";
      readonly job: TakenJob;
      readonly startAt: number;
      readonly wait: number;
    };

/** Whether it may start now; if not, when. */
async function nextStep(taken: TakenJob, context: StartContext): Promise<Step> {
  const { queue, scheduler } = context;
  const asked = scheduler.elapsed();
  const held = await taken.heldFor();
  if (held <= 0) return { type: "lost" };
  const now = await queue.now();
  const job = await inLine(taken, now, context);
  if (job.startAt > now) {
    return { type: "wait", job, startAt: job.startAt, wait: job.startAt - now };
  }
  const passing = scheduler.elapsed();
  const wait = await gateWait(job, context);
  if (wait === 0) return { type: "go", job, times: { passing, until: asked + held } };
  return { type: "wait", job, startAt: now + wait, wait };
}

/** The job with a time of its own: another one where its own is used, or has long passed. */
async function inLine(
  job: TakenJob,
  now: number,
  { pace, grace }: StartContext,
): Promise<TakenJob> {
  if (job.isFresh && now - job.startAt <= grace) return job;
  return { ...job, startAt: now + (await pace.retake(job)), isFresh: true };
}

/** 0: it may start at this instant. */
async function gateWait(job: TakenJob, { pace }: StartContext): Promise<number> {
  const { ok, retryAfter } = await pace.start(job);
  return ok ? 0 : Math.min(Math.max(1, retryAfter), DAY);
}

/** By the scheduler's clock: when the gate was asked, and until when no other worker has the job. */
type Times = { readonly passing: number; readonly until: number };

/** Does the work, if it can begin while the gate has just been passed; else undefined. */
async function begin(
  job: TakenJob,
  { passing, until, isLast }: Times & { readonly isLast: boolean },
  { pace, scheduler, run }: StartContext,
): Promise<Outcome | undefined> {
  if (!(await job.begin())) return { type: "cancelled" };
  const { id, data, key, startAt, signal } = job;
  const now = scheduler.elapsed();
  // A process that was halted meanwhile may have lost the job.
  if (now >= until || signal.aborted) return { type: "lost" };
  const late = now - passing;
  // So that the gate hears of it before it lets the next one pass.
  if (late > pace.spacing / 2 && !isLast) return undefined;
  // Sent before the work can block the process, and not waited for.
  pace.began(job, { late }).catch(() => {});
  return { type: "done", result: kept(await run({ id, data, key, startAt, signal })) };
}

/** What a queue can keep of a result; the work is done, whatever it has returned. */
function kept(result: unknown): unknown {
  try {
    return JSON.stringify(result) === undefined ? undefined : result;
  } catch {
    return undefined;
  }
}
