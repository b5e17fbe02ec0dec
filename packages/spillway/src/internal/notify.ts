import { consoleWarn, type Warn } from "../core/index.ts";
import { abandon } from "./abandon.ts";

/** Notifies a listener, whatever it does: a fault of it must not become a fault of an answer. It is not waited for. */
export function notify<Event>(
  listener: ((event: Event) => unknown) | undefined,
  event: Event,
): void {
  try {
    const heard = listener?.(event);
    if (heard !== undefined) abandon(heard);
  } catch {
    // It is somebody else's code.
  }
}

/** Calls what must fail nobody, whatever it does. It is not waited for. */
export function quietly(call: () => unknown): void {
  notify(call, undefined);
}

/** Where a program's warnings go, as a function that throws nothing. Default: the console. */
export function warningsTo(warn: Warn = consoleWarn): Warn {
  return (message) => notify(warn, message);
}
