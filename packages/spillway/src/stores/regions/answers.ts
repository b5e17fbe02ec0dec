/** Combines the near region's answers with units held of other regions. Pure. */
import { type Ask, admitted, type Decision } from "../../limits/core/index.ts";

/**
 * The wait before a retry if the missing units must first be drawn from other regions, in
 * milliseconds.
 */
const SOON = 1000;

/** An ask, the near region's decision, and the units missing there: 0 or more. */
export type LackingAsk = { readonly ask: Ask; readonly decision: Decision; readonly lack: number };

/**
 * Returns the units that an ask lacks in the near region; Infinity if units held of other regions
 * can't serve it.
 */
export function lackOf({ count, reserve }: Ask, { reason, remaining }: Decision): number {
  if (reserve || reason === "blocked" || reason === "shed") return Infinity;
  const left = reason === "unavailable" ? 0 : remaining;
  return Math.max(1, count) - left;
}

/** Whether units must be taken in the near region as well. */
export function takesNear({ ask, lack }: LackingAsk): boolean {
  return lack === 0 || ask.count > lack;
}

/**
 * Returns the answers to asks served from held units. `taken` has the near region's decisions for
 * those that `takesNear`.
 */
export function served(
  wants: readonly LackingAsk[],
  taken: readonly Decision[],
): readonly Decision[] {
  const rest = taken.values();
  return wants.map((want) => {
    const last = takesNear(want) ? (rest.next().value as Decision) : admitted(want.decision);
    return want.lack === 0 || !last.ok ? last : admitted(last);
  });
}

/**
 * Returns the answers that the near region and the held units would give: `merged` adds the latter.
 */
export function wouldServe(wants: readonly LackingAsk[]): readonly Decision[] {
  return wants.map(({ ask, decision, lack }) => {
    if (lack === 0) return decision;
    return { ...admitted(decision), remaining: decision.remaining - ask.count };
  });
}

/**
 * The units of a budget borrowed from other regions, and the maximum that this region can ever
 * have.
 */
export type FarUnits = { readonly held: number; readonly most: () => number };

/** Converts an answer of the near region to one of the whole limit. */
export function merged(
  { plan, count, reserve }: Ask,
  decision: Decision,
  { held, most }: FarUnits,
): Decision {
  const { ok, reason, degraded } = decision;
  const { capacity } = plan;
  if (degraded) return { ...decision, capacity };
  const hidden = reason === "blocked";
  const remaining = hidden ? 0 : Math.min(capacity, decision.remaining + held);
  // The call exceeds the near part, but there may be enough once units were drawn.
  const isLater = !ok && reason === "too large" && !reserve && count <= most();
  if (!isLater) return { ...decision, capacity, remaining };
  const retryAfter = Math.max(SOON, decision.resetAfter);
  const resetAfter = Math.max(retryAfter, decision.resetAfter);
  return { ...decision, capacity, remaining, retryAfter, resetAfter, reason: "limited" };
}
