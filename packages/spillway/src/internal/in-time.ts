/** Promises whose answer is needed by a deadline: they may reject, or never settle. */
import { afterDelay, SpillwayError } from "../limits/core/index.ts";
import { notify } from "./notify.ts";
import type { StartTimer } from "./shared-timer.ts";

/** What is waited for, and how long. */
export type Needed<T> = {
  /** The name of the option, or of what else is to answer. */
  readonly field: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** Default: `afterDelay`, which keeps no program from ending. */
  readonly start?: StartTimer;
  /** Receives what comes after its time. */
  readonly late?: (value: T) => void;
};

/** Makes an error of what it rejected with, or of its time being over. */
export type Failing = (error: unknown, isLate: boolean) => unknown;

/**
 * Waits for a promise of any maker, and no longer than that.
 *
 * @throws What `failing` makes of it. Default: what it rejected with, or a SpillwayError `unavailable`.
 */
export function inTime<T>(
  { field, timeout, start = afterDelay, late }: Needed<T>,
  answer: PromiseLike<T>,
  failing: Failing = (error) => error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stop = start(timeout, () => {
      isLate = true;
      reject(failing(noAnswer(field, timeout), true));
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
