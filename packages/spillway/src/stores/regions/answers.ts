/** Answers of all regions together, from that of the near one and what is held of the others. Pure. */
import { type Ask, admitted, type Decision } from "../../limits/core/index.ts";

/** Milliseconds after which to come back where what is wanted has to be drawn from elsewhere first. */
const SOON = 1000;

/** A call, what the near region said, and the units that it lacks there: none, or more than there can be. */
export type Want = { readonly ask: Ask; readonly decision: Decision; readonly lack: number };

/** Units that a call lacks in the near region; Infinity where none held elsewhere may serve it. */
export function lackOf({ count, reserve }: Ask, { reason, remaining }: Decision): number {
  if (reserve || reason === "blocked" || reason === "shed") return Infinity;
  const left = reason === "unavailable" ? 0 : remaining;
  return Math.max(1, count) - left;
}

/** Whether something is to be taken in the near region as well. */
export function takesNear({ ask, lack }: Want): boolean {
  return lack === 0 || ask.count > lack;
}

/** The answers to asks that were served from what is held, and, of those that `takesNear`, by `taken`. */
export function served(wants: readonly Want[], taken: readonly Decision[]): readonly Decision[] {
  const rest = taken.values();
  return wants.map((want) => {
    const last = takesNear(want) ? (rest.next().value as Decision) : admitted(want.decision);
    return want.lack === 0 || !last.ok ? last : admitted(last);
  });
}

/** What would be admitted of the near region and what is held: `merged` adds the latter. */
export function wouldServe(wants: readonly Want[]): readonly Decision[] {
  return wants.map(({ ask, decision, lack }) => {
    if (lack === 0) return decision;
    return { ...admitted(decision), remaining: decision.remaining - ask.count };
  });
}

/** The units of a budget that are held of other regions, and the most that there can be in this one. */
export type Reach = { readonly held: number; readonly most: () => number };

/** An answer of the near region as one of the whole limit. */
export function merged(
  { plan, count, reserve }: Ask,
  decision: Decision,
  { held, most }: Reach,
): Decision {
  const { ok, reason, degraded } = decision;
  const { capacity } = plan;
  if (degraded) return { ...decision, capacity };
  const hidden = reason === "blocked";
  const remaining = hidden ? 0 : Math.min(capacity, decision.remaining + held);
  // More than the near part holds: there may be as much once it was drawn.
  const isLater = !ok && reason === "too large" && !reserve && count <= most();
  if (!isLater) return { ...decision, capacity, remaining };
  const retryAfter = Math.max(SOON, decision.resetAfter);
  const resetAfter = Math.max(retryAfter, decision.resetAfter);
  return { ...decision, capacity, remaining, retryAfter, resetAfter, reason: "limited" };
}
