/** Waiting: what the runtime offers for it, in one place. */
declare const setTimeout: (call: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;
declare const setImmediate: ((call: () => void) => void) | undefined;
declare const performance: { now(): number };
declare const queueMicrotask: (call: () => void) => void;
declare const navigator: { readonly userAgent?: string } | undefined;

/**
 * Whether a timer ends with the request that started it, as on Cloudflare Workers. What is shared by requests must not
 * depend on a timer there, nor a request on a promise that only another one resolves.
 */
export const timersEndWithRequests =
  typeof navigator === "object" && navigator.userAgent === "Cloudflare-Workers";

/** The longest that runtimes can wait for, 24 days: what is to wait for longer goes off then. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Calls once, `ms` milliseconds from now or soon after, unless the function returned is called
 * before. Keeps no program from ending.
 */
export function afterDelay(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER)) as { unref?: () => void };
  timer.unref?.();
  return () => clearTimeout(timer);
}

/**
 * Calls once, `ms` milliseconds from now or soon after, unless the function returned is called
 * before. Keeps the program from ending as long.
 */
export function alarm(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER));
  return () => clearTimeout(timer);
}

/**
 * Calls when this turn of the event loop is over: all that is ready by now has been dealt with, and
 * nothing has been waited for. Where timers end with requests, so does `setImmediate`: it calls when the
 * code is done that runs now.
 */
export const afterTurn: (call: () => void) => void =
  typeof setImmediate === "function" && !timersEndWithRequests
    ? setImmediate
    : // Workers refuse to have their own function called as a method of something else.
      (call) => queueMicrotask(call);

/** Milliseconds since some instant, from a clock that never steps: for measuring waits. */
export const elapsed = (): number => performance.now();

/** All of it together: what a simulation replaces by a time of its own. */
export type Scheduler = {
  /** Milliseconds, with fractions, from a clock that never steps. */
  elapsed(): number;
  /** Keeps no program from ending. */
  afterDelay(ms: number, call: () => void): unknown;
  /** Keeps the program from ending until then, or until the function that it returns is called. */
  alarm(ms: number, call: () => void): () => void;
  afterTurn(call: () => void): void;
};
