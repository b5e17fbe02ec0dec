/** Awaits promises with a deadline: they may reject, or never settle. */
import { afterDelay, SpillwayError } from "../limits/core/index.ts";
import { notify } from "./notify.ts";
import type { StartTimer } from "./shared-timer.ts";

/** The deadline of a promise, and what to do if it is late. */
export type TimedCall<T> = {
  /** The name of the option or other source that must answer. */
  readonly field: string;
  /** The deadline, in milliseconds. */
  readonly timeout: number;
  /** Starts the timer. Default: `afterDelay`, which does not keep a program from ending. */
  readonly start?: StartTimer;
  /** Receives a value that comes after the deadline. */
  readonly late?: (value: T) => void;
};

/** Converts a rejection, or the error of a missed deadline, to the error to throw. */
export type ErrorMapper = (error: unknown, isLate: boolean) => unknown;

/**
 * Awaits a promise, native or not, until its deadline.
 *
 * @throws The result of `failing`. Default: the promise's own rejection, or a SpillwayError
 * `unavailable` after the deadline.
 */
export function inTime<T>(
  { field, timeout, start = afterDelay, late }: TimedCall<T>,
  answer: PromiseLike<T>,
  failing: ErrorMapper = (error) => error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stop = start(timeout, () => {
      isLate = true;
      reject(failing(noAnswer(field, timeout), true));
    });
    // Promises of other libraries can't be trusted: even their `then` may throw.
    Promise.resolve(answer).then(
      (value) => {
        stop();
        if (isLate) notify(late, value);
        else resolve(value);
      },
      (error) => {
        stop();
        try {
          reject(failing(error, false));
        } catch (unreadable) {
          reject(unreadable);
        }
      },
    );
  });
}

function noAnswer(field: string, timeout: number): SpillwayError {
  return new SpillwayError({
    code: "unavailable",
    field,
    value: "a promise",
    expected: `an answer within ${timeout} ms`,
  });
}
