/** Calls functions that the program supplies. They may throw, reject, or never settle. */

import { inTime, isPromised, type MaybePromise, type TimedCall } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";

/** A route could not be decided: the field that failed, the error, and whether it timed out. */
export class RouteFailure {
  readonly field: string;
  readonly error: unknown;
  readonly timedOut: boolean;

  constructor(field: string, error: unknown, timedOut = false) {
    this.field = field;
    this.error = error;
    this.timedOut = timedOut;
  }
}

/**
 * Calls a function. Throws or rejects with a `RouteFailure` if it throws, rejects or times out.
 *
 * The arguments are passed separately, so that no closure is created per request.
 */
export function called<T, A, B>(
  sought: TimedCall<T>,
  find: (first: A, second: B) => MaybePromise<T>,
  first: A,
  second: B,
): MaybePromise<T> {
  let answer: MaybePromise<T>;
  try {
    answer = find(first, second);
  } catch (error) {
    throw failure(sought.field, error);
  }
  if (!isPromised(answer)) return answer;
  return inTime(sought, answer, (error, isLate) => failure(sought.field, error, isLate));
}

/** Errors of this library name the wrong field themselves. */
export function failure(field: string, error: unknown, timedOut = false): RouteFailure {
  if (error instanceof RouteFailure) return error;
  return new RouteFailure(
    (error instanceof SpillwayError && error.field) || field,
    error,
    timedOut,
  );
}
