/** What a worker does with a job: waits for its time, passes the gate, and does the work. */
import { DAY, type Scheduler } from "../core/index.ts";
import type { LostSignal } from "../limiter/index.ts";
import type { JobQueue, Outcome, TakenJob } from "./contracts.ts";
import { inTime } from "./in-time.ts";
import type { Pace } from "./pace.ts";
import { pause } from "./pause.ts";
import type { Turn, Turns } from "./turns.ts";

/** What the work is given. */
export type Work<T = unknown> = {
  readonly id: string;
  readonly data: T;
  readonly key: string | undefined;
  /** The time that was reserved for it, by the queue's clock. */
  readonly startAt: number;
  /** Aborted when another worker may have the job: stop then, for it runs again elsewhere. */
  readonly signal: LostSignal;
};

export type StartContext = {
  readonly queue: JobQueue;
  readonly pace: Pace;
  readonly scheduler: Scheduler;
  /** How much later than its time a job may start without a new place in the line. */
  readonly grace: number;
  /** Whose turn it is to ask the gate, of this process's jobs. */
  readonly turns: Turns;
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
  const turn = context.turns.of(job.key);
  try {
    return await broughtToStart(job, turn, context);
  } finally {
    turn.end();
  }
}

async function broughtToStart(job: TakenJob, turn: Turn, context: StartContext): Promise<Outcome> {
  const { scheduler, queue, pace } = context;
  const until = scheduler.elapsed() + LONGEST_KEPT * queue.precision;
  let waiting = job;
  for (let passes = 1; ; ) {
    const isLast = passes >= PASSES && pace.spacing < TOO_FINE;
    const step = await stepped(waiting, { isLast }, context);
    if (step?.type === "lost" || step?.type === "cancelled") return step;
    if (step?.type === "go") {
      // Nothing else runs between this look and the work's first statement.
      const end = ending(step, scheduler.elapsed());
      if (end === "lost") return { type: "lost" };
      if (end === "in time") {
        const working = work(step.job, context);
        turn.end();
        return { type: "done", result: kept(await working) };
      }
    }
    if (step?.type === "again" || step?.type === "go") passes++;
    const { startAt, wait } = step ?? { startAt: waiting.startAt, wait: PAUSE };
    const later = { type: "later", startAt, wait } as const;
    const now = scheduler.elapsed();
    if (now >= until || wait > KEPT * queue.precision) return later;
    if (step?.type === "refused" && !(await turn.begin(until - now))) return later;
    waiting = step?.job ?? waiting;
    const left = wait - (scheduler.elapsed() - now);
    if (left > 0) await pause(left, scheduler);
  }
}

/** What fails before the start, or is never answered, is no attempt of the job's. */
function stepped(job: TakenJob, pass: Pass, context: StartContext): Promise<Step | undefined> {
  const { deadline, scheduler } = context;
  const what = "bringing a job to its start";
  return inTime(nextStep(job, pass, context), { what, deadline, scheduler }).catch(() => undefined);
}

type Step =
  | Go
  | { readonly type: "lost" }
  | { readonly type: "cancelled" }
  /** It may not start before; or the gate has refused it; or it passes the gate again. */
  | ({ readonly type: "wait" } & Waiting)
  | ({ readonly type: "refused" } & Waiting)
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
  if (wait > 0) return { type: "refused", job, startAt: now + wait, wait };
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
  return run({ id, data, key, startAt, signal: signal as LostSignal });
}

/** What a queue can keep of a result; the work is done, whatever it has returned. */
function kept(result: unknown): unknown {
  try {
    return JSON.stringify(result) === undefined ? undefined : result;
  } catch {
    return undefined;
  }
}
