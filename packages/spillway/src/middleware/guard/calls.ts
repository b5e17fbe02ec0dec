/** Calls of what a program has given: functions that may throw, reject, or never answer. */
import { afterDelay, display, SpillwayError } from "../../core/index.ts";
import { notify } from "../../internal/index.ts";
import { isPromised, type Maybe } from "./maybe.ts";

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

/** What a function is to find, and how long it is waited for. */
export type Sought<T> = {
  readonly field: string;
  readonly timeout: number;
  /** Receives what comes after its time. */
  readonly late?: (value: T) => void;
};

/**
 * Calls; what is thrown, or rejected, or not there in time, is a `RouteFailure` that is thrown.
 *
 * The arguments are apart from the function, so that no request needs a function of its own.
 */
export function called<T, A, B>(
  sought: Sought<T>,
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
  return isPromised(answer) ? inTime(sought, answer) : answer;
}

function inTime<T>({ field, timeout, late }: Sought<T>, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stop = afterDelay(timeout, () => {
      isLate = true;
      reject(new RouteFailure(field, noAnswer(field, timeout), true));
    });
    // Of another maker's promises nothing is known, not even that their `then` returns.
    Promise.resolve(answer).then(
      (value) => {
        stop();
        if (isLate) notify(late, value);
        else resolve(value);
      },
      (error) => {
        stop();
        reject(failure(field, error));
      },
    );
  });
}

/** The library's own errors say themselves which field is wrong. */
export function failure(field: string, error: unknown): RouteFailure {
  if (error instanceof RouteFailure) return error;
  return new RouteFailure((error instanceof SpillwayError && error.field) || field, error);
}

/** What was thrown, for a message: nothing of it is called that may throw again. Pure. */
export function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : display(thrown);
  } catch {
    return "an error that can't be read";
  }
}

function noAnswer(field: string, timeout: number): SpillwayError {
  return new SpillwayError({
    code: "unavailable",
    field,
    value: "a promise",
    expected: `an answer within ${timeout} ms`,
  });
}
