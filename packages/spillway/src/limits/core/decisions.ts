/**
 * Creates, changes and joins decisions. All functions are pure.
 *
 * Only this file and the steps spell out all fields of a decision, so that all decisions have one
 * shape.
 */
import type { Plan } from "./algorithm.ts";
import type { Decision, JointDecision, Reason } from "./decision.ts";

/** The fields of a decision other than its limit. With a reason it is a refusal. */
type DecisionFields = Pick<Decision, "remaining"> &
  Partial<Pick<Decision, "retryAfter" | "resetAfter" | "reason" | "degraded">>;

/** Creates the decision of a limit. */
export function decisionOf(
  { limit, capacity }: Pick<Plan, "limit" | "capacity">,
  { remaining, retryAfter = 0, resetAfter = 0, reason, degraded }: DecisionFields,
): Decision {
  const ok = reason === undefined;
  return { ok, limit, capacity, remaining, retryAfter, resetAfter, reason, degraded };
}

/** Returns a decision as a refusal. */
export function refused(
  decision: Decision,
  why: Partial<Decision> & { readonly reason: Reason },
): Decision {
  return { ...decision, ok: false, ...why };
}

/** Returns the decision of a limit that is off: as if the key had used nothing. */
export function unasked(plan: Pick<Plan, "limit" | "capacity">): Decision {
  return { ...decisionOf(plan, { remaining: plan.capacity }), mode: "off" };
}

/** Returns the decision of a limit in shadow mode, from the one that it would make if enforced. */
export function asShadow(decision: Decision): Decision {
  if (decision.ok && decision.retryAfter === 0) return { ...decision, mode: "shadow" };
  const { degraded } = decision;
  return { ...admitted(decision), degraded, mode: "shadow", shadowed: decision };
}

/** Whether a call was admitted without units, because its limit is not enforced. */
export function tookNothing({ mode, shadowed }: Decision): boolean {
  return mode === "off" || shadowed?.ok === false;
}

/** Returns a decision as an admission that may start at once. */
export function admitted(decision: Decision): Decision {
  return { ...decision, ok: true, retryAfter: 0, reason: undefined, degraded: undefined };
}

/**
 * Lengthens the wait of a decision by a number of milliseconds, and its estimate if there is one.
 */
export function later<D extends Decision>(decision: D, ms: number): D {
  const retryAfter = decision.retryAfter + ms;
  const { estimatedRetryAfter: estimate } = decision;
  if (estimate === undefined) return { ...decision, retryAfter };
  return { ...decision, retryAfter, estimatedRetryAfter: estimate + ms };
}

/**
 * A joint decision with room for the lease that may hold its units, so that a limiter's answer
 * needs no copy.
 */
type LeasedJointDecision = JointDecision & { readonly lease: undefined };

/**
 * Joins several decisions to one.
 *
 * @param refusals The decisions that refuse the whole. Default: all refusals.
 */
export function joined(
  decisions: readonly Decision[],
  refusals = refusalsAmong(decisions),
): LeasedJointDecision {
  const isRefused = refusals.length > 0;
  const enforced = enforcedAmong(decisions);
  const decisive = isRefused ? longest(refusals) : passing(enforced);
  return {
    ok: decisive.ok,
    limit: decisive.limit,
    capacity: decisive.capacity,
    remaining: decisive.remaining,
    retryAfter: isRefused ? decisive.retryAfter : lastStart(decisions),
    resetAfter: decisive.resetAfter,
    reason: decisive.reason,
    degraded: enforced.some(isDegraded) ? true : undefined,
    estimatedRetryAfter: isRefused ? longestEstimate(refusals) : undefined,
    refused: isRefused ? [...new Set(refusals.map(({ limit }) => limit))] : [],
    decisions,
    lease: undefined,
  };
}

/**
 * Returns the decision that counts: the refusal with the longest wait, or the tightest admission.
 */
export function deciding(decisions: readonly Decision[]): Decision {
  const refusals = refusalsAmong(decisions);
  return refusals.length > 0 ? longest(refusals) : tightest(decisions);
}

const NONE: readonly Decision[] = [];

function refusalsAmong(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.every(isOk) ? NONE : decisions.filter((one) => !one.ok);
}

/**
 * Returns the tightest admission. If none admits, and the whole passes all the same, the tightest
 * refusal as an admission.
 */
function passing(decisions: readonly Decision[]): Decision {
  if (decisions.every(isOk)) return tightest(decisions);
  const admitting = decisions.filter(isOk);
  return admitting.length > 0 ? tightest(admitting) : admitted(tightest(decisions));
}

/** Returns when the last admitted part may start. */
function lastStart(decisions: readonly Decision[]): number {
  let last = 0;
  for (const { ok, retryAfter } of decisions) if (ok && retryAfter > last) last = retryAfter;
  return last;
}

/**
 * Returns the longest wait if any is an estimate. The other waits are exact, or the best known.
 */
function longestEstimate(refusals: readonly Decision[]): number | undefined {
  if (!refusals.some(({ estimatedRetryAfter }) => estimatedRetryAfter)) return undefined;
  return Math.max(...refusals.map((one) => one.estimatedRetryAfter ?? one.retryAfter));
}

/** Returns the first decision with the longest wait. */
function longest(some: readonly Decision[]): Decision {
  return some.reduce((best, one) => (one.retryAfter > best.retryAfter ? one : best));
}

/** Returns the first decision with the least left. */
function tightest(some: readonly Decision[]): Decision {
  return some.reduce((best, one) => (one.remaining < best.remaining ? one : best));
}

/** Returns the decisions of limits that are enforced; all of them if none is. */
function enforcedAmong(all: readonly Decision[]): readonly Decision[] {
  if (all.every(isEnforced)) return all;
  const enforced = all.filter(isEnforced);
  return enforced.length > 0 ? enforced : all;
}

function isEnforced({ mode }: Decision): boolean {
  return mode === undefined;
}

function isOk({ ok }: Decision): boolean {
  return ok;
}

function isDegraded({ degraded }: Decision): boolean {
  return degraded === true;
}
