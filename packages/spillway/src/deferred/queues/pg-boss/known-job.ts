/** Converts rows of pg-boss to known jobs. */
import type { JobRecord, JobState, KnownJob } from "../../contracts.ts";
import type { BossJob } from "./contracts.ts";

/**
 * Whether two times are equal within a millisecond: some readers cut microseconds, others round
 * them. Pure.
 */
export function isSameTime(one: BossJob["startedOn"], other: BossJob["startedOn"]): boolean {
  if (one === null || other === null) return false;
  return Math.abs(new Date(one).getTime() - new Date(other).getTime()) <= 1;
}

/** Returns the known job of a row of pg-boss; undefined if there is none. Pure. */
export function knownJob(job: BossJob | null): KnownJob | undefined {
  if (job === null) return undefined;
  const { startAt } = job.data as JobRecord;
  const state = stateOf(job.state);
  const output = job.output as { readonly value?: unknown; readonly message?: unknown } | null;
  const result = state === "done" ? output?.value : undefined;
  const error = state === "done" ? undefined : messageOf(output);
  return { id: job.id, state, startAt, result, error };
}

function messageOf(output: unknown): string | undefined {
  const { message, value } = (output ?? {}) as { message?: unknown; value?: { message?: unknown } };
  const text = message ?? value?.message;
  return typeof text === "string" ? text : undefined;
}

function stateOf(state: string): JobState {
  if (state === "completed") return "done";
  if (state === "failed" || state === "cancelled") return state;
  return state === "active" ? "running" : "queued";
}
