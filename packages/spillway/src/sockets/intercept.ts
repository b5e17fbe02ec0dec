/** Intercepts events before their listeners. */
import type { EventSource } from "./contracts.ts";

/** Receives the values of an event. `pass` hands the event to the listeners. */
export type EventInterceptor = (values: readonly unknown[], pass: () => void) => void;

/**
 * Sends events through a gate before their listeners receive them: present listeners and later
 * ones.
 *
 * It replaces `emit`, because the first listener can't prevent the call of others, and servers add
 * listeners of their own when they are created. If there are two gates, the one added later comes
 * first.
 */
export function intercept(
  source: EventSource,
  events: ReadonlyMap<string, EventInterceptor>,
): void {
  const { emit } = source;
  source.emit = function (this: EventSource, event: string, ...values: unknown[]): unknown {
    const gate = events.get(event);
    if (gate === undefined) return emit.call(this, event, ...values);
    gate(values, () => void emit.call(source, event, ...values));
    return true;
  };
}
