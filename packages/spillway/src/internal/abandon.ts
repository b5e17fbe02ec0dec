/** Promises of a program's functions that nobody waits for. */

const IGNORE = () => {};

/** Whether a value has a `then`, as promises of any maker have. Pure, unless reading it is not. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/**
 * Ignores what a value rejects with, if it is promised: a rejection that nobody handles ends the process. Throws
 * nothing.
 */
export function abandon(value: unknown): void {
  try {
    if (!isThenable(value)) return;
    const next: unknown = value.then(IGNORE, IGNORE);
    // One that is no native promise may have handed on only the first of the two.
    if (next instanceof Promise) next.catch(IGNORE);
  } catch {
    // It is somebody else's code.
  }
}

/** Calls for each of several, in order. Where a call throws, nobody waits for what the earlier ones have promised. */
export function callEach<A, B>(all: readonly A[], call: (each: A) => B): readonly B[] {
  // As long as it will be: one that grows takes more.
  const answers = new Array<B>(all.length);
  try {
    for (let index = 0; index < all.length; index++) answers[index] = call(all[index] as A);
  } catch (error) {
    answers.forEach(abandon);
    throw error;
  }
  return answers;
}
