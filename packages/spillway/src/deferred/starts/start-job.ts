/** Starts a job for a worker: waits for its time, passes the gate, and does the work. */
import { pause } from "../../internal/index.ts";
import type { LostSignal } from "../../limiter/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";
import { type JobOutcome, LONGEST_KEPT, type TakenJob } from "../contracts.ts";
import { inTime } from "../in-time.ts";
import type { JobTurn, JobTurns } from "./job-turns.ts";
import {
  confirmedStart,
  isSlower,
  nextStep,
  type StartAttempt,
  type StartLater,
  type StartStep,
  type StepContext,
} from "./next-step.ts";

/** The job that the function of the work receives. */
export type StartedJob<T = unknown> = {
  readonly id: string;
  readonly data: T;
  readonly key: string | undefined;
  /** The start reserved for it, in milliseconds since 1970 by the queue's clock. */
  readonly startAt: number;
  /**
   * Aborts when another worker may have the job. Stop then, because the job runs again elsewhere.
   */
  readonly signal: LostSignal;
};

export type StartContext = StepContext & {
  readonly scheduler: Scheduler;
  /** The turns of this process's jobs at the gate. */
  readonly turns: JobTurns;
  /** How long a step that calls stores may take, in milliseconds. */
  readonly deadline: number;
  readonly run: (work: StartedJob) => unknown;
};

/**
 * The longest wait in a worker, as a multiple of the queue's precision. Longer waits are left to
 * the queue.
 */
const KEPT = 2;
/** The pause between two tries while a store does not answer, in milliseconds. */
const PAUSE = 500;
/**
 * Milliseconds. If starts are closer than this, round trips between them may be too slow. Then the
 * third try counts even if it is slow.
 */
const TOO_FINE = 20;
const PASSES = 3;

/** Waits for a job's start and runs it, or returns when it must be taken again. */
export async function startJob(job: TakenJob, context: StartContext): Promise<JobOutcome> {
  const turn = context.turns.of(job.key);
  try {
    return await bringToStart(job, turn, context);
  } finally {
    turn.end();
  }
}

async function bringToStart(
  taken: TakenJob,
  turn: JobTurn,
  context: StartContext,
): Promise<JobOutcome> {
  const { queue, pace, scheduler } = context;
  const until = scheduler.elapsed() + LONGEST_KEPT * queue.precision;
  let job = taken;
  for (let passes = 1; ; ) {
    const isLast = passes >= PASSES && pace.spacing < TOO_FINE;
    const asked = await stepInTime(job, { isLast, turn }, context);
    // Nothing else runs between this reading of the clock and the first statement of the work.
    const step = asked.type === "go" ? confirmedStart(asked, scheduler.elapsed()) : asked;
    if (step.type === "go") return doWork(step.job, turn, context);
    if (step.type === "lost" || step.type === "cancelled") return step;
    if (!(await waitHere(step, { turn, until }, context))) return later(step, context);
    if (step.type === "again") passes++;
    job = step.job;
  }
}

/**
 * Tries once to start a job. A failure or timeout before the start is not an attempt of the job.
 */
async function stepInTime(
  job: TakenJob,
  pass: StartAttempt,
  context: StartContext,
): Promise<StartStep> {
  const { deadline, scheduler } = context;
  const what = "bringing a job to its start";
  try {
    return await inTime(nextStep(job, pass, context), { what, deadline, scheduler });
  } catch {
    return { type: "unanswered", job, startAt: job.startAt, wait: PAUSE };
  }
}

/** Waits until the job may be tried again. Returns false if the wait is left to the queue. */
async function waitHere(
  { type, wait }: StartLater,
  { turn, until }: { readonly turn: JobTurn; readonly until: number },
  { queue, scheduler }: StartContext,
): Promise<boolean> {
  const now = scheduler.elapsed();
  if (now >= until || wait > KEPT * queue.precision) return false;
  if (type === "refused" && !(await turn.begin(until - now))) return false;
  const left = wait - (scheduler.elapsed() - now);
  if (left > 0) await pause(left, { scheduler });
  return true;
}

function later(
  { type, job, startAt, wait }: StartLater,
  { queue, pace }: StartContext,
): JobOutcome {
  // The job has waited here and was refused. It keeps its turn before jobs that were due later and
  // are not taken yet.
  const keepsTurn = type === "refused" && isSlower(job, pace) && wait <= KEPT * queue.precision;
  return { type: "later", startAt: keepsTurn ? job.startAt : startAt, wait };
}

async function doWork(
  { id, data, key, startAt, signal }: TakenJob,
  turn: JobTurn,
  { run }: StartContext,
): Promise<JobOutcome> {
  const working = run({ id, data, key, startAt, signal: signal as LostSignal });
  // The job has started, so the next one need not wait for its end.
  turn.end();
  return { type: "done", result: storable(await working) };
}

/**
 * Returns a result if a queue can keep it, else undefined. The work counts as done in both cases.
 */
function storable(result: unknown): unknown {
  try {
    return JSON.stringify(result) === undefined ? undefined : result;
  } catch {
    return undefined;
  }
}
