/** Waiting: what the runtime offers for it, in one place. */
declare const setTimeout: (call: () => void, ms: number) => unknown;
declare const setImmediate: ((call: () => void) => void) | undefined;
declare const performance: { now(): number };
declare const queueMicrotask: (call: () => void) => void;

/** Calls once, `ms` milliseconds from now or soon after. Keeps no program from ending. */
export function afterDelay(ms: number, call: () => void): void {
  const timer = setTimeout(call, ms) as { unref?: () => void };
  timer.unref?.();
}

/**
 * Calls when this turn of the event loop is over: all that is ready by now has been dealt with, and
 * nothing has been waited for.
 */
export const afterTurn: (call: () => void) => void =
  typeof setImmediate === "function" ? setImmediate : queueMicrotask;

/** Milliseconds since some instant, from a clock that never steps: for measuring waits. */
export const elapsed = (): number => performance.now();
