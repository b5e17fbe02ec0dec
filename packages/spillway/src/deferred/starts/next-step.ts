/** Whether a job may start now: it has a time in the line, that time has come, and the gate lets it pass. */
import { DAY, type Scheduler } from "../../limits/core/index.ts";
import type { JobQueue, TakenJob } from "../contracts.ts";
import type { JobPacer } from "../pace/job-pacer.ts";
import { chargeDelay } from "./charge-delay.ts";
import type { JobTurn } from "./job-turns.ts";

export type StepContext = {
  readonly queue: Pick<JobQueue, "now" | "precision">;
  readonly pace: JobPacer;
  readonly scheduler: Pick<Scheduler, "elapsed">;
  /** How much later than its time a job may start without a new place in the line. */
  readonly grace: number;
};

/** One try: the last one counts, however long it takes. */
export type StartAttempt = { readonly isLast: boolean; readonly turn: Pick<JobTurn, "isOthers"> };

/** What comes of one try to start a job. */
export type StartStep =
  | StartNow
  | { readonly type: "lost" }
  | { readonly type: "cancelled" }
  | StartLater;

/** It starts, if it is no later than that: in time for its distance, and while nobody else has it. */
export type StartNow = {
  readonly type: "go";
  readonly job: TakenJob;
  readonly inTimeUntil: number;
  readonly heldUntil: number;
};

/** It is tried again, so many milliseconds from now. */
export type StartLater = {
  /** Its time has not come; or the gate refuses it, or those who wait there; or it passes the gate again; or a store gives no answer. */
  readonly type: "early" | "refused" | "again" | "unanswered";
  readonly job: TakenJob;
  /** When that is, by the queue's clock. */
  readonly startAt: number;
  readonly wait: number;
};

/** So many milliseconds more are as good as in time: clocks show no less. */
const CLOCK_GRAIN = 2;

/** Makes one try to start a job. */
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

/** What has become of a start: a process that was halted meanwhile is late, or may have lost the job. Pure. */
export function confirmedStart(go: StartNow, now: number): StartStep {
  if (now >= go.heldUntil || go.job.signal.aborted) return { type: "lost" };
  return now <= go.inTimeUntil ? go : again(go.job);
}

function again(job: TakenJob): StartLater {
  return { type: "again", job, startAt: job.startAt, wait: 0 };
}

/** The job with a time of its own: another one where its own is used, or has long passed. */
async function inLine(job: TakenJob, now: number, { pace, grace }: StepContext): Promise<TakenJob> {
  // Where the limit became slower, the line counts it still: those before it have made it late.
  if (job.isFresh && (now - job.startAt <= grace || isSlower(job, pace))) return job;
  return { ...job, startAt: now + (await pace.retake(job)), isFresh: true };
}

/** Whether work starts less often than when the job's time was reserved. */
export function isSlower({ spacing }: TakenJob, pace: Pick<JobPacer, "spacing">): boolean {
  return spacing !== undefined && spacing < pace.spacing;
}

/** 0: it may start at this instant. */
async function gateWait(job: TakenJob, { pace }: StepContext): Promise<number> {
  const { ok, retryAfter } = await pace.start(job);
  return ok ? 0 : Math.min(Math.max(1, retryAfter), DAY);
}
