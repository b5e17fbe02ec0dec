/** Calls of what a program has given: functions that may throw, reject, or never answer. */

import { inTime, isPromised, type Maybe, type Needed } from "../../internal/index.ts";
import { SpillwayError } from "../../limits/core/index.ts";

/** That a route could not be decided, and what was to be found then. */
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
 * Calls; what is thrown, or rejected, or not there in time, is a `RouteFailure` that is thrown.
 *
 * The arguments are apart from the function, so that no request needs a function of its own.
 */
export function called<T, A, B>(
  sought: Needed<T>,
  find: (first: A, second: B) => Maybe<T>,
  first: A,
  second: B,
): Maybe<T> {
  let answer: Maybe<T>;
  try {
    answer = find(first, second);
  } catch (error) {
    throw failure(sought.field, error);
  }
  if (!isPromised(answer)) return answer;
  return inTime(sought, answer, (error, isLate) => failure(sought.field, error, isLate));
}

/** The library's own errors say themselves which field is wrong. */
export function failure(field: string, error: unknown, timedOut = false): RouteFailure {
  if (error instanceof RouteFailure) return error;
  return new RouteFailure(
    (error instanceof SpillwayError && error.field) || field,
    error,
    timedOut,
  );
}
