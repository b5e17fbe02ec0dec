import { afterDelay, afterTurn } from "../core/index.ts";

/** A store that did not answer in time. */
export class LateError extends Error {
  override readonly name = "LateError";

  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/**
 * Waits for work at most `ms` milliseconds.
 *
 * Where this process itself was too busy to look, what has arrived meanwhile still counts: at the
 * deadline one turn of the event loop is waited for.
 *
 * @param work Begins the work; it is told whether the deadline has passed. What comes of it later is
 *   ignored.
 */
export function within<T>(ms: number, work: (late: () => boolean) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let late = false;
    const expire = () => {
      late = true;
      reject(new LateError(ms));
    };
    const cancel = afterDelay(ms, () => afterTurn(expire));
    const settle = (how: () => void) => {
      cancel();
      how();
    };
    work(() => late).then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}
