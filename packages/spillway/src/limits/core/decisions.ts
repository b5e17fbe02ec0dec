/**
 * Decisions made, changed and joined. Beside the steps, which decide, nothing else spells out all of their fields, so
 * that all have one shape. All pure.
 */
import type { Plan } from "./algorithm.ts";
import type { Decision, JointDecision, Reason } from "./decision.ts";

/** What a decision says beside its limit: a refusal where there is a reason. */
type Said = Pick<Decision, "remaining"> &
  Partial<Pick<Decision, "retryAfter" | "resetAfter" | "reason" | "degraded">>;

/** The decision of a limit. */
export function decisionOf(
  { limit, capacity }: Pick<Plan, "limit" | "capacity">,
  { remaining, retryAfter = 0, resetAfter = 0, reason, degraded }: Said,
): Decision {
  const ok = reason === undefined;
  return { ok, limit, capacity, remaining, retryAfter, resetAfter, reason, degraded };
}

/** The same decision as a refusal. */
export function refused(
  decision: Decision,
  why: Partial<Decision> & { readonly reason: Reason },
): Decision {
  return { ...decision, ok: false, ...why };
}

/** The same decision as an admission that may start at once. */
export function admitted(decision: Decision): Decision {
  return { ...decision, ok: true, retryAfter: 0, reason: undefined, degraded: undefined };
}

/** A decision whose wait is longer by so many milliseconds: an estimate is put off with the wait that it is of. */
export function later<D extends Decision>(decision: D, ms: number): D {
  const retryAfter = decision.retryAfter + ms;
  const { estimatedRetryAfter: estimate } = decision;
  if (estimate === undefined) return { ...decision, retryAfter };
  return { ...decision, retryAfter, estimatedRetryAfter: estimate + ms };
}

/** A joint decision with room for the lease that may hold its units, so that a limiter's answer needs no copy. */
type Joined = JointDecision & { readonly lease: undefined };

/**
 * One answer from many.
 *
 * @param refusals Those that refuse the whole. Default: all refusals.
 */
export function joined(
  decisions: readonly Decision[],
  refusals = refusalsAmong(decisions),
): Joined {
  const isRefused = refusals.length > 0;
  const decisive = isRefused ? longest(refusals) : passing(decisions);
  return {
    ok: decisive.ok,
    limit: decisive.limit,
    capacity: decisive.capacity,
    remaining: decisive.remaining,
    retryAfter: isRefused ? decisive.retryAfter : lastStart(decisions),
    resetAfter: decisive.resetAfter,
    reason: decisive.reason,
    degraded: decisions.some(isDegraded) ? true : undefined,
    estimatedRetryAfter: isRefused ? longestEstimate(refusals) : undefined,
    refused: isRefused ? [...new Set(refusals.map(({ limit }) => limit))] : [],
    decisions,
    lease: undefined,
  };
}

/** The one that decides: the refusal with the longest wait, or the tightest of what admits. */
export function deciding(decisions: readonly Decision[]): Decision {
  const refusals = refusalsAmong(decisions);
  return refusals.length > 0 ? longest(refusals) : tightest(decisions);
}

const NONE: readonly Decision[] = [];

function refusalsAmong(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.every(isOk) ? NONE : decisions.filter((one) => !one.ok);
}

/** The tightest of what admits; where nothing does and it passes all the same, that is said. */
function passing(decisions: readonly Decision[]): Decision {
  if (decisions.every(isOk)) return tightest(decisions);
  const admitting = decisions.filter(isOk);
  return admitting.length > 0 ? tightest(admitting) : admitted(tightest(decisions));
}

/** What was admitted may start when the last of it may. */
function lastStart(decisions: readonly Decision[]): number {
  let last = 0;
  for (const { ok, retryAfter } of decisions) if (ok && retryAfter > last) last = retryAfter;
  return last;
}

/** Where one of them is an estimate so is the whole; the waits of the others are exact, or all that is known. */
function longestEstimate(refusals: readonly Decision[]): number | undefined {
  if (!refusals.some(({ estimatedRetryAfter }) => estimatedRetryAfter)) return undefined;
  return Math.max(...refusals.map((one) => one.estimatedRetryAfter ?? one.retryAfter));
}

/** The first with the longest wait. */
function longest(some: readonly Decision[]): Decision {
  return some.reduce((best, one) => (one.retryAfter > best.retryAfter ? one : best));
}

/** The first with the least left. */
function tightest(some: readonly Decision[]): Decision {
  return some.reduce((best, one) => (one.remaining < best.remaining ? one : best));
}

function isOk({ ok }: Decision): boolean {
  return ok;
}

function isDegraded({ degraded }: Decision): boolean {
  return degraded === true;
}
