/** Promises of a program's functions that nobody waits for. */

const IGNORE = () => {};

/** Whether a value has a `then`, as promises of any maker have. Pure, unless reading it is not. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/**
 * Ignores what a value rejects with, if it is promised: a rejection that nobody handles ends the
 * process. Throws nothing.
 */
export function abandon(value: unknown): void {
  try {
    if (!isThenable(value)) return;
    const next: unknown = value.then(IGNORE, IGNORE);
    // One that is no native promise may have handed on only the first of the two.
    if (next instanceof Promise) next.catch(IGNORE);
  } catch {
    // Foreign code may throw anything.
  }
}
