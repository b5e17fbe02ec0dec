/** From the outcomes of descriptors to the one decision on a request. Pure. */
import type { Decision, JointDecision } from "spillway";
import type { Outcome } from "../contracts.ts";

/** All decisions as one; undefined where there are none. */
export function jointOf(
  outcomes: readonly Outcome[],
  refusals: readonly Decision[],
): JointDecision | undefined {
  if (outcomes.length === 0) return undefined;
  const decisions = outcomes.map(({ decision }) => decision);
  const deciding = refusals.length > 0 ? longest(refusals) : passing(decisions);
  return {
    ok: deciding.ok,
    limit: deciding.limit,
    capacity: deciding.capacity,
    remaining: deciding.remaining,
    retryAfter: refusals.length > 0 ? deciding.retryAfter : longestWait(decisions),
    resetAfter: deciding.resetAfter,
    reason: deciding.reason,
    degraded: decisions.some(({ degraded }) => degraded) ? true : undefined,
    refused: refusals.length === 0 ? [] : [...new Set(refusals.map(({ limit }) => limit))],
    decisions,
  };
}

/**
 * The refusals that refuse a request: those of limits that are neither in shadow mode nor quotas, or
 * those of all quotas.
 */
export function refusalsOf(
  outcomes: readonly Outcome[],
  hasFreeQuota: boolean,
): readonly Decision[] {
  if (outcomes.every(({ decision }) => decision.ok)) return [];
  const refused = outcomes.filter(({ decision }) => !decision.ok);
  const musts = refused.filter(({ role }) => role === "must");
  if (musts.length > 0) return musts.map(({ decision }) => decision);
  const quotas = outcomes.filter(({ role }) => role === "quota");
  const areAllOver = quotas.length > 0 && quotas.every(({ decision }) => !decision.ok);
  return areAllOver && !hasFreeQuota ? quotas.map(({ decision }) => decision) : [];
}

/** The tightest of what admits; where nothing does and it passes all the same, that is said. */
function passing(decisions: readonly Decision[]): Decision {
  const [only] = decisions;
  if (decisions.length === 1 && only?.ok) return only;
  const admitting = decisions.filter(({ ok }) => ok);
  if (admitting.length > 0) return tightest(admitting);
  return { ...tightest(decisions), ok: true, retryAfter: 0, reason: undefined };
}

function longestWait(decisions: readonly Decision[]): number {
  return decisions.reduce(
    (most, { ok, retryAfter }) => (ok ? Math.max(most, retryAfter) : most),
    0,
  );
}

/** The first with the longest wait. Pure. */
export function longest(some: readonly Decision[]): Decision {
  return some.reduce((best, one) => (one.retryAfter > best.retryAfter ? one : best));
}

/** The first with the least left. Pure. */
export function tightest(some: readonly Decision[]): Decision {
  return some.reduce((best, one) => (one.remaining < best.remaining ? one : best));
}
