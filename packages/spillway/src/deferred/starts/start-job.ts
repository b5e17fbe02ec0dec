/** What a worker does with a job: waits for its time, passes the gate, and does the work. */
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

/** What the work is given. */
export type StartedJob<T = unknown> = {
  readonly id: string;
  readonly data: T;
  readonly key: string | undefined;
  /** The time that was reserved for it, by the queue's clock. */
  readonly startAt: number;
  /** Aborted when another worker may have the job: stop then, for it runs again elsewhere. */
  readonly signal: LostSignal;
};

export type StartContext = StepContext & {
  readonly scheduler: Scheduler;
  /** Whose turn it is to ask the gate, of this process's jobs. */
  readonly turns: JobTurns;
  /** How long a step may take that asks stores. */
  readonly deadline: number;
  readonly run: (work: StartedJob) => unknown;
};

/** A worker keeps a job for a wait up to so many times the queue's precision; longer waits are the queue's. */
const KEPT = 2;
/** Between two tries while a store gives no answer. */
const PAUSE = 500;
/** Starts closer than so many milliseconds may be too fine for the round trips in between: then the third pass counts. */
const TOO_FINE = 20;
const PASSES = 3;

/** Brings a job that was taken to its start, and does it; or answers when it is to be taken again. */
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
    // Nothing else runs between this look at the clock and the work's first statement.
    const step = asked.type === "go" ? confirmedStart(asked, scheduler.elapsed()) : asked;
    if (step.type === "go") return doWork(step.job, turn, context);
    if (step.type === "lost" || step.type === "cancelled") return step;
    if (!(await waitHere(step, { turn, until }, context))) return later(step, context);
    if (step.type === "again") passes++;
    job = step.job;
  }
}

/** What fails before the start, or is never answered, is no attempt of the job's. */
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

/** Waits until the job may be tried again; false where it is the queue that is to wait. */
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
  // It has waited here in vain: its turn is before those that were due later, and not taken yet.
  const keepsTurn = type === "refused" && isSlower(job, pace) && wait <= KEPT * queue.precision;
  return { type: "later", startAt: keepsTurn ? job.startAt : startAt, wait };
}

async function doWork(
  { id, data, key, startAt, signal }: TakenJob,
  turn: JobTurn,
  { run }: StartContext,
): Promise<JobOutcome> {
  const working = run({ id, data, key, startAt, signal: signal as LostSignal });
  // It has started: the next one need not wait for its end.
  turn.end();
  return { type: "done", result: storable(await working) };
}

/** What a queue can keep of a result; the work is done, whatever it has returned. */
function storable(result: unknown): unknown {
  try {
    return JSON.stringify(result) === undefined ? undefined : result;
  } catch {
    return undefined;
  }
}
