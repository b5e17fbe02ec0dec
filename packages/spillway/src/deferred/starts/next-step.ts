/** Decides whether a job may start now: its reserved time has come, and the gate admits it. */
import { DAY, type Scheduler } from "../../limits/core/index.ts";
import type { JobQueue, TakenJob } from "../contracts.ts";
import type { JobPacer } from "../pace/job-pacer.ts";
import { chargeDelay } from "./charge-delay.ts";
import type { JobTurn } from "./job-turns.ts";

export type StepContext = {
  readonly queue: Pick<JobQueue, "now" | "precision">;
  readonly pace: JobPacer;
  readonly scheduler: Pick<Scheduler, "elapsed">;
  /**
   * How much later than its time a job may start without a new place in the line, in milliseconds.
   */
  readonly grace: number;
};

/** One try to start a job. The last one counts even if it is slow. */
export type StartAttempt = { readonly isLast: boolean; readonly turn: Pick<JobTurn, "isOthers"> };

/** The result of one try to start a job. */
export type StartStep =
  | StartNow
  | { readonly type: "lost" }
  | { readonly type: "cancelled" }
  | StartLater;

/**
 * The job starts, unless its start would be too close to the next one, or another worker may have
 * it.
 */
export type StartNow = {
  readonly type: "go";
  readonly job: TakenJob;
  readonly inTimeUntil: number;
  readonly heldUntil: number;
};

/** The job is tried again, `wait` milliseconds from now. */
export type StartLater = {
  /**
   * Why the job does not start now.
   *
   * - `early`: its time has not come.
   * - `refused`: the gate refuses it, or other jobs wait there.
   * - `again`: it must pass the gate again.
   * - `unanswered`: a store did not answer.
   */
  readonly type: "early" | "refused" | "again" | "unanswered";
  readonly job: TakenJob;
  /** When it is tried again, in milliseconds since 1970 by the queue's clock. */
  readonly startAt: number;
  readonly wait: number;
};

/**
 * How late a start may be and still count as in time, in milliseconds. Clocks are not more precise.
 */
const CLOCK_GRAIN = 2;

/** Tries once to start a job. */
export async function nextStep(
  taken: TakenJob,
  { isLast, turn }: StartAttempt,
  context: StepContext,
): Promise<StartStep> {
  const { queue, scheduler } = context;
  const asked = scheduler.elapsed();
  const held = await taken.heldFor();
  if (held <= 0) return { type: "lost" };
  const now = await queue.now();
  const job = await inLine(taken, now, context);
  const { startAt } = job;
  if (startAt > now) return { type: "early", job, startAt, wait: startAt - now };
  if (turn.isOthers) return { type: "refused", job, startAt: now, wait: 0 };
  const passed = scheduler.elapsed();
  const wait = await gateWait(job, context);
  if (wait > 0) return { type: "refused", job, startAt: now + wait, wait };
  if (!(await job.begin())) return { type: "cancelled" };
  const charged = await chargeDelay(job, passed, context);
  if (charged === undefined && !isLast) return again(job);
  const inTimeUntil = isLast ? Number.POSITIVE_INFINITY : passed + (charged ?? 0) + CLOCK_GRAIN;
  return { type: "go", job, inTimeUntil, heldUntil: asked + held };
}

/**
 * Returns the result of a start at `now`. Pure.
 *
 * A process that was halted may be late, or may have lost the job.
 */
export function confirmedStart(go: StartNow, now: number): StartStep {
  if (now >= go.heldUntil || go.job.signal.aborted) return { type: "lost" };
  return now <= go.inTimeUntil ? go : again(go.job);
}

function again(job: TakenJob): StartLater {
  return { type: "again", job, startAt: job.startAt, wait: 0 };
}

/** Returns the job with an unused start: a new one if its own is used, or has long passed. */
async function inLine(job: TakenJob, now: number, { pace, grace }: StepContext): Promise<TakenJob> {
  // If the limit became slower, the job keeps its place in the line: the jobs before it have made
  // it late.
  if (job.isFresh && (now - job.startAt <= grace || isSlower(job, pace))) return job;
  return { ...job, startAt: now + (await pace.retake(job)), isFresh: true };
}

/** Whether the limit is slower than when the job's start was reserved. Pure. */
export function isSlower({ spacing }: TakenJob, pace: Pick<JobPacer, "spacing">): boolean {
  return spacing !== undefined && spacing < pace.spacing;
}

/**
 * Returns the milliseconds until the gate may admit the job, at most a day; 0 if it may start now.
 */
async function gateWait(job: TakenJob, { pace }: StepContext): Promise<number> {
  const { ok, retryAfter } = await pace.start(job);
  return ok ? 0 : Math.min(Math.max(1, retryAfter), DAY);
}
