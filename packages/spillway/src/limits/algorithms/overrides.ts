/**
 * Overrides: for a time, a key has a definition of its own in place of its limit's.
 *
 * A state under an override was written under that definition, and contains until when. So a store
 * that reads a state has the override with it, and its end is one more change of definition.
 */
import type { Ask, Budget, CommandOf, Decision, Plan, State, Value } from "../core/index.ts";
import { decide, resetAfter, valueAt } from "./decide.ts";
import { switchDefinition, switchUntil } from "./definitions.ts";
import { recordLeft } from "./penalty-record.ts";
import { rates } from "./rates.ts";

/**
 * Whether a state's override applies to calls under a plan.
 *
 * It ends where it can't stand in for the limit: for units that are lent, which belong to a
 * definition, and if the limit became one of another kind. A bucket stands in for every rate.
 */
export function isOverridden(state: State, { kind, family, share }: Plan, now: number): boolean {
  if (state.overriddenUntil <= now || share > 0) return false;
  const own = state.plan as Plan;
  return own.kind === kind || (family === rates && own.kind === "token bucket");
}

/** Returns a budget under the definition that applies to it. Its state has been reconciled. */
export function underOverride(state: State, budget: Budget, now: number): Budget {
  return state.overriddenUntil > now ? { ...budget, plan: state.plan as Plan } : budget;
}

/**
 * Puts a plan in place of a budget's own, for `ms` milliseconds from `now`. Replaces an earlier
 * override. With 0 it ends the override.
 *
 * Used units stay used, as after every change of definition. What is used counts under both.
 */
export function override(state: State, budget: Budget, { plan, ms }: Override, now: number): void {
  if (state.overriddenUntil > now) {
    state.overriddenUntil = 0;
    switchDefinition(state, budget, now);
  }
  if (ms === 0) return;
  switchUntil(now + ms, state, { ...budget, plan }, now);
  state.overriddenUntil = now + ms;
}

/** A definition of a key, and for how long. */
type Override = Pick<CommandOf<"override">, "plan" | "ms">;

/** Returns the decision on an ask under the definition that applies. Changes nothing. */
export function decideOn(state: State, ask: Ask, now: number): Decision {
  if (state.overriddenUntil <= now) return decide(state, ask.plan, ask, now);
  const decision = decide(state, state.plan as Plan, ask, now);
  return {
    ...decision,
    ...(decision.ok ? undefined : refusalOf(decision, state, ask, now)),
    limit: ask.plan.limit,
    resetAfter: resetOf(decision, state, ask, now),
    overridden: true,
  };
}

/** Returns the wait of a refused call, which may go on beyond the end of the override. */
function refusalOf({ retryAfter, reason }: Decision, state: State, ask: Ask, now: number) {
  if (mayStay(retryAfter, state, ask, now)) return { retryAfter, reason };
  const end = state.overriddenUntil;
  const then = decide(afterEnd(state, ask), ask.plan, ask, end);
  const wait = end - now + (then.ok ? 0 : then.retryAfter);
  const canFit = reason === "too large" && wait < Number.POSITIVE_INFINITY;
  return { retryAfter: wait, reason: canFit ? ("limited" as const) : reason };
}

/** Returns what a key has left under the definition that applies. */
export function valueOn(state: State, budget: Budget, now: number): Value {
  if (state.overriddenUntil <= now) return valueAt(state, budget.plan, now);
  const value = valueAt(state, state.plan as Plan, now);
  return {
    ...value,
    limit: budget.plan.limit,
    resetAfter: resetOf(value, state, budget, now),
    overriddenFor: state.overriddenUntil - now,
  };
}

/**
 * Returns the milliseconds until a state equals that of a key without one, for a store that may
 * then forget it; 0 if it does already.
 */
export function freshAfter(state: State, plan: Plan, now: number): number {
  const rest = Math.max(state.overriddenUntil - now, recordLeft(state.penalty, now));
  return Math.max(rest, resetAfter(state, plan, now));
}

/**
 * Whether a time that follows from the override also does if the override ends before it is over.
 *
 * With a list it stays, because stores return only the parts of one that the override needs.
 */
function mayStay(ms: number, state: State, { plan }: Budget, now: number): boolean {
  const keepsList = state.plan?.algorithm.list ?? plan.algorithm.list;
  return ms <= state.overriddenUntil - now || keepsList !== undefined;
}

function resetOf(
  { resetAfter: ms }: { readonly resetAfter: number },
  state: State,
  budget: Budget,
  now: number,
): number {
  if (mayStay(ms, state, budget, now)) return ms;
  const end = state.overriddenUntil;
  return end - now + resetAfter(afterEnd(state, budget), budget.plan, end);
}

/** Returns the state at the end of its override, if nothing else happens. */
function afterEnd(state: State, budget: Budget): State {
  const then = state.copy();
  then.others = state.others?.map(({ state: other, until }) => ({ state: other.copy(), until }));
  then.overriddenUntil = 0;
  switchDefinition(then, budget, state.overriddenUntil);
  return then;
}
