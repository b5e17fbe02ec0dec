import { abandon, consoleWarn, type Warn } from "../limits/core/index.ts";

/**
 * Notifies a listener, whatever it does: a fault of it must not become a fault of an answer. It is
 * not waited for.
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

/** Calls what must fail nobody, whatever it does. It is not waited for. */
export function quietly(call: () => unknown): void {
  notify(call, undefined);
}

/** The subjects that were warned of, by the function that received the warning. */
const subjects = new WeakMap<Warn, Set<string>>();

/**
 * Warns once of a subject, however many routes notice it: once for each `warn` function of a
 * program, and on the console once in a process.
 *
 * @param warn The program's own function, not a wrapper made for each route. Default: the console.
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

/** Where a program's warnings go, as a function that throws nothing. Default: the console. */
export function warningsTo(warn: Warn = consoleWarn): Warn {
  return (message) => notify(warn, message);
}
