/** Standing before the listeners of an event. */
import type { EventSource } from "./contracts.ts";

/** Receives what an event comes with; `pass` hands it to the listeners. */
export type EventInterceptor = (values: readonly unknown[], pass: () => void) => void;

/**
 * Has an event go through a gate before its listeners receive it: those there are, and those to come.
 *
 * By `emit` itself, for a listener that comes first can't keep others from being called, and servers
 * add listeners of their own when they are made. Two gates stand one before the other, the later first.
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
