import { abandon, consoleWarn, type Warn } from "../limits/core/index.ts";

/**
 * Calls a listener, which may throw or reject without effect on the answer. Its promise is not
 * awaited.
 */
export function notify<Event>(
  listener: ((event: Event) => unknown) | undefined,
  event: Event,
): void {
  try {
    const heard = listener?.(event);
    if (heard !== undefined) abandon(heard);
  } catch {
    // Foreign code may throw anything.
  }
}

/** Calls a function and ignores all its errors. Its promise is not awaited. */
export function quietly(call: () => unknown): void {
  notify(call, undefined);
}

/** The subjects of earlier warnings, by the function that received the warning. */
const subjects = new WeakMap<Warn, Set<string>>();

/**
 * Warns once of a subject, even if many routes notice it. Once for each `warn` function; on the
 * console, once in a process.
 *
 * @param warn The program's own function, not a wrapper for each route. Default: the console.
 */
export function warnOnce(
  { subject, message }: { readonly subject: string; readonly message: string },
  warn: Warn = consoleWarn,
): void {
  const known = subjects.get(warn) ?? new Set();
  if (known.has(subject)) return;
  subjects.set(warn, known.add(subject));
  notify(warn, message);
}

/** Returns a function that passes warnings on and never throws. Default: to the console. */
export function warningsTo(warn: Warn = consoleWarn): Warn {
  return (message) => notify(warn, message);
}
