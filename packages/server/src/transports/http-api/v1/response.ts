import type { Decision, Value } from "spillway";
import type { LimitResponse, RuleDecision, ValuesResponse } from "../../../service/index.ts";

/** The response if no limit applies. */
const UNLIMITED = {
  ok: true,
  limit: null,
  capacity: null,
  remaining: null,
  retryAfter: 0,
  resetAfter: 0,
} as const;

/** Converts a response to JSON: an infinite number becomes null. Pure. */
export function toResponse({ joint, outcomes, lease }: LimitResponse) {
  const decisions = outcomes.map((outcome) => (outcome ? outcomeJson(outcome) : null));
  const whole = joint === undefined ? UNLIMITED : toJson(joint);
  const held = lease && { lease: lease.name, ttl: lease.ttl };
  return { ...whole, ...held, refused: joint?.refused ?? [], decisions };
}

/** Converts values to JSON. Pure. */
export function toValues({ values }: ValuesResponse) {
  return { values: values.map((value) => (value ? valueJson(value) : null)) };
}

/** Converts a value to JSON. Pure. */
export function valueJson({
  limit,
  capacity,
  remaining,
  reserved,
  resetAfter,
  blockedFor,
  penalized,
}: Value) {
  return {
    limit,
    capacity: finite(capacity),
    remaining: finite(remaining),
    reserved,
    resetAfter: finite(resetAfter),
    blockedFor,
    ...(penalized && { penalized }),
  };
}

function outcomeJson({ decision, role }: RuleDecision) {
  const shown = toJson(decision);
  if (role === "off") return { ...shown, off: true };
  return role === "shadow" ? { ...shown, shadow: true } : shown;
}

/** JSON has no Infinity, so it becomes null. */
function toJson({
  capacity,
  remaining,
  retryAfter,
  resetAfter,
  ok,
  limit,
  reason,
  degraded,
}: Decision) {
  return {
    ok,
    limit,
    capacity: finite(capacity),
    remaining: finite(remaining),
    retryAfter: finite(retryAfter),
    resetAfter: finite(resetAfter),
    reason,
    degraded,
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
