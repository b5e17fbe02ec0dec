/** What goes wrong with jobs, as errors with a code. */
import { isError, textOf } from "../internal/index.ts";
import { display, SpillwayError, shownReason } from "../limits/core/index.ts";

/** Why something failed, whatever was thrown: a program may throw anything. */
export function reasonOf(error: unknown): string {
  try {
    const why: unknown = isError(error) ? error.message : error;
    return typeof why === "string" ? why : display(why);
  } catch {
    return textOf(error);
  }
}

/** A queue, or the limiter's store, has not done what it was asked. */
export function queueFailed(what: string, cause: unknown): SpillwayError {
  // It was not the queue that has failed.
  if (cause instanceof SpillwayError) return cause;
  return new SpillwayError({
    code: "queue-failed",
    expected: `${what} failed: ${shownReason(cause)}`,
    hint: "What was asked for may have been done: ask again with the same id",
    cause,
  });
}

/** What is somebody's of a job. */
const PRIVATE: ReadonlySet<string> = new Set(["key", "data"]);

export function badJob(field: string, value: unknown, expected: string): SpillwayError {
  return new SpillwayError({
    code: "bad-job",
    field,
    value,
    isPrivate: PRIVATE.has(field),
    expected,
  });
}

export function tooLarge({
  bytes,
  most,
}: {
  readonly bytes: number;
  readonly most: number;
}): SpillwayError {
  return new SpillwayError({
    code: "job-too-large",
    field: "data",
    value: `${bytes} bytes of JSON`,
    expected: `at most ${most}`,
    hint: "Store it elsewhere, and queue where it is; or raise maxBytes",
  });
}
