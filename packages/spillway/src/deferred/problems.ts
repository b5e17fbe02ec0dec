/** Errors with a code for failures of jobs. */
import { isError, textOf } from "../internal/index.ts";
import { display, SpillwayError, shownReason } from "../limits/core/index.ts";

/** Returns why something failed. Accepts any thrown value, and never throws. */
export function reasonOf(error: unknown): string {
  try {
    const why: unknown = isError(error) ? error.message : error;
    return typeof why === "string" ? why : display(why);
  } catch {
    return textOf(error);
  }
}

/**
 * Returns the error for a failed call to a queue or to the limiter's store. An error with a code is
 * returned unchanged.
 */
export function queueFailed(what: string, cause: unknown): SpillwayError {
  // This is not a failure of the queue.
  if (cause instanceof SpillwayError) return cause;
  return new SpillwayError({
    code: "queue-failed",
    expected: `${what} failed: ${shownReason(cause)}`,
    hint: "The call may have taken effect: repeat it with the same id",
    cause,
  });
}

/** The private fields of a job, whose values messages do not show. */
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
    hint: "Store it elsewhere and queue a reference to it, or raise maxBytes",
  });
}
