/** Timers of the runtime, in one place. */
declare const setTimeout: (call: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;
declare const setImmediate: ((call: () => void) => void) | undefined;
declare const performance: { now(): number };
declare const queueMicrotask: (call: () => void) => void;
declare const navigator: { readonly userAgent?: string } | undefined;

/**
 * Whether a timer ends with the request that started it, as on Cloudflare Workers. There, state
 * that requests share must not depend on a timer, and no request may wait for a promise that only
 * another request resolves.
 */
export const timersEndWithRequests =
  typeof navigator === "object" && navigator.userAgent === "Cloudflare-Workers";

/** The longest time that runtimes can wait, some 24 days. A longer wait ends then. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Calls a function once, after `ms` milliseconds or soon after, unless the returned function is
 * called before. Does not keep the process alive.
 */
export function afterDelay(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER)) as { unref?: () => void };
  timer.unref?.();
  return () => clearTimeout(timer);
}

/**
 * Calls a function once, after `ms` milliseconds or soon after, unless the returned function is
 * called before. Keeps the process alive until then.
 */
export function alarm(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER));
  return () => clearTimeout(timer);
}

/**
 * Calls a function at the end of this turn of the event loop: after everything that is ready now,
 * without waiting. If timers end with requests, `setImmediate` would too, so the function is called
 * once the running code is done.
 */
export const afterTurn: (call: () => void) => void =
  typeof setImmediate === "function" && !timersEndWithRequests
    ? setImmediate
    : // Workers refuse to have their own function called as a method of something else.
      (call) => queueMicrotask(call);

/** Returns milliseconds since some instant, from a monotonic clock: for measuring durations. */
export const elapsed = (): number => performance.now();

/** All timers together, so that a simulation can replace them by virtual time. */
export type Scheduler = {
  /** Returns milliseconds, with fractions, from a monotonic clock. */
  elapsed(): number;
  /** Does not keep the process alive. */
  afterDelay(ms: number, call: () => void): unknown;
  /** Keeps the process alive until the call, or until the returned function is called. */
  alarm(ms: number, call: () => void): () => void;
  afterTurn(call: () => void): void;
};
