/** Formats the lines of an outage log. All functions are pure. */
import { MINUTE, shownReason } from "../../limits/core/index.ts";
import { RejectedRequest } from "../port/request.ts";
import type { StoreEvent } from "./events.ts";

/** Events that are not outages, but keep calls from being decided normally. */
export type RareEvent = Extract<
  StoreEvent,
  { readonly type: "disagreed" | "overflowed" | "unreleased" }
>;

/** Whether an event is one of these. The remaining events, about lent units, occur every second. */
export function isRare(event: StoreEvent): event is RareEvent {
  return ["disagreed", "overflowed", "unreleased"].includes(event.type);
}

/** Describes what such an event means for the program. */
export function rareEvent(event: RareEvent, store: string): string {
  switch (event.type) {
    case "disagreed":
      return (
        `${store} ${disagreement(event.error)}, and ${event.calls} calls ` +
        `were refused: ${shownReason(event.error)}`
      );
    case "overflowed":
      return `${store} already has ${event.most} waiting calls: ${event.calls} more were refused`;
    case "unreleased":
      return (
        `a lease of the limit ${event.limit} could not be released in ${store}: its units stay ` +
        "in flight until its ttl ends"
      );
  }
}

function disagreement(error: Error): string {
  if (error instanceof RejectedRequest) return "rejects requests of this program as invalid";
  return "sent a reply that this program can't read";
}

type Late = Extract<StoreEvent, { readonly type: "late" }>;

/** Describes a slow store, and the remedy. */
export function lateAnswers(store: string, { ms, deadline }: Late, count: number): string {
  const longer = deadlineFor(ms);
  return (
    `${store} answers too late: ${count} answers within a minute came after the deadline of ` +
    `${deadline} ms, the last after ${Math.round(ms)} ms, so their calls were answered without ` +
    `it. If this happens often, raise the deadline: { deadline: ${longer} }`
  );
}

/** The factor by which a deadline should exceed a late answer. */
const ROOM = 3;

/** Returns a round number of milliseconds with room for slower answers. */
function deadlineFor(ms: number): number {
  const least = Math.max(1, ms * ROOM);
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10;
  return Math.min(MINUTE, factor * power);
}
