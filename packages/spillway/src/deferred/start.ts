/** What a worker does with a job: waits for its time, passes the gate, and does the work. */
import { DAY, type Scheduler } from "../core/index.ts";
import type { JobQueue, JobSignal, Outcome, TakenJob } from "./contracts.ts";
import { inTime } from "./in-time.ts";
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
  /** How long a step may take that asks stores. */
  readonly deadline: number;
  readonly run: (work: Work) => unknown;
};

/** A worker keeps a job for a wait up to so many times the queue's precision; longer waits are the queue's. */
const KEPT = 2;
/** Between two tries while a store gives no answer. */
const PAUSE = 500;
/** In all, a job is kept for so many times that precision before it starts, at most. */
export const LONGEST_KEPT = 10;
/** Starts closer than so many milliseconds may be too fine for the round trips in between: then the third pass counts. */
const TOO_FINE = 20;
const PASSES = 3;

/** Brings a job that was taken to its start, and does it; or answers when it is to be taken again. */
export async function startJob(job: TakenJob, context: StartContext): Promise<Outcome> {
  const { scheduler, queue, deadline } = context;
  const taken = scheduler.elapsed();
  let waiting = job;
  for (let passes = 1; ; ) {
    const stepping = nextStep(
      waiting,
      { isLast: passes >= PASSES && context.pace.spacing < TOO_FINE },
      context,
    );
    // What fails before the start, or is never answered, is no attempt of the job's.
    const what = "bringing a job to its start";
    const step = await inTime(stepping, { what, deadline, scheduler }).catch(() => undefined);
    if (step?.type === "lost" || step?.type === "cancelled") return step;
    if (step?.type === "go") {
      // Nothing else runs between this look and the work's first statement.
      const end = ending(step, scheduler.elapsed());
      if (end === "lost") return { type: "lost" };
      if (end === "in time") return { type: "done", result: kept(await work(step.job, context)) };
    }
    if (step?.type === "again" || step?.type === "go") passes++;
    const isLong = scheduler.elapsed() - taken >= LONGEST_KEPT * queue.precision;
    const { startAt, wait } = step ?? { startAt: waiting.startAt, wait: PAUSE };
    if (isLong || wait > KEPT * queue.precision) return { type: "later", startAt, wait };
    waiting = step?.job ?? waiting;
    if (wait > 0) await pause(wait, scheduler);
  }
}

type Step =
  | Go
  | { readonly type: "lost" }
  | { readonly type: "cancelled" }
  /** It may not start before; or it passes the gate again. */
  | ({ readonly type: "wait" } & Waiting)
  | ({ readonly type: "again" } & Waiting);

/** It starts, if it is no later than that: in time for its distance, and while nobody else has it. */
type Go = Waiting & {
  readonly type: "go";
  readonly inTimeUntil: number;
  readonly heldUntil: number;
};

type Waiting = { readonly job: TakenJob; readonly startAt: number; readonly wait: number };

type Pass = { readonly isLast: boolean };

/** Whether it may start now; if not, when. */
async function nextStep(taken: TakenJob, pass: Pass, context: StartContext): Promise<Step> {
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
  if (wait > 0) return { type: "wait", job, startAt: now + wait, wait };
  if (!(await job.begin())) return { type: "cancelled" };
  const paid = await paidFor(job, passing, context);
  const again = { job, startAt: job.startAt, wait: 0 };
  if (paid === undefined && !pass.isLast) return { type: "again", ...again };
  const inTimeUntil = pass.isLast ? Number.POSITIVE_INFINITY : passing + (paid ?? 0) + GRAIN;
  return { type: "go", ...again, inTimeUntil, heldUntil: asked + held };
}

/** What has become of a start: a process that was halted meanwhile is late, or may have lost the job. */
function ending({ job, inTimeUntil, heldUntil }: Go, now: number): "lost" | "late" | "in time" {
  if (now >= heldUntil || job.signal.aborted) return "lost";
  return now <= inTimeUntil ? "in time" : "late";
}

/** So many milliseconds more are as good as in time: clocks show no less. */
const GRAIN = 2;

/** Milliseconds that the gate is charged more than has passed, at most, for its answer takes time as well. */
const MARGIN = 5;

/**
 * Charges the gate with what has passed since it let the job pass, so that the next one is as much later.
 *
 * @returns The milliseconds that are paid; undefined where it took so long that the next one may have passed meanwhile.
 */
async function paidFor(
  job: TakenJob,
  passing: number,
  { pace, scheduler }: StartContext,
): Promise<number | undefined> {
  let paid = 0;
  for (;;) {
    const late = scheduler.elapsed() - passing;
    if (late > pace.spacing / 2) return undefined;
    if (late <= paid) return paid;
    const due = late + Math.min(MARGIN, late / 2) - paid;
    paid += await pace.began(job, { late: due });
  }
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

function work({ id, data, key, startAt, signal }: TakenJob, { run }: StartContext): unknown {
  return run({ id, data, key, startAt, signal });
}

/** What a queue can keep of a result; the work is done, whatever it has returned. */
function kept(result: unknown): unknown {
  try {
    return JSON.stringify(result) === undefined ? undefined : result;
  } catch {
    return undefined;
  }
}
