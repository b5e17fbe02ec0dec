/** Handles promises returned by a program's functions that nothing awaits. */

const IGNORE = () => {};

/**
 * Whether a value has a `then`, as all promises have, native or not. Pure, unless reading `then` is
 * not.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/**
 * Ignores the rejection of a value, if it is a promise. Throws nothing.
 *
 * An unhandled rejection would end the process.
 */
export function abandon(value: unknown): void {
  try {
    if (!isThenable(value)) return;
    const next: unknown = value.then(IGNORE, IGNORE);
    // A promise of another library may ignore the second argument of `then`.
    if (next instanceof Promise) next.catch(IGNORE);
  } catch {
    // Foreign code may throw anything.
  }
}
