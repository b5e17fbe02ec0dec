/** How a state begins, and what keeps it meaningful when its limit or the clock has changed. */
import type { Plan, State } from "../core/index.ts";
import { anchorOf } from "./anchor.ts";

/** Begins a state anew, with nothing used. A block stays. */
export function begin(state: State, plan: Plan, key: string | undefined, now: number): void {
  state.plan = plan;
  const opening = { spent: 0, unsettled: 0, anchor: anchorOf(plan, key) };
  plan.algorithm.begin(state, plan, opening, now);
}

/**
 * Makes a state fit to be asked at `now`: begun if it is new, carried over if its limit has changed,
 * brought back if the clock went back. A store calls it before every other step.
 */
export function follow(state: State, plan: Plan, key: string | undefined, now: number): void {
  if (state.plan !== plan) {
    if (state.plan === undefined) begin(state, plan, key, now);
    else adopt(state, plan, key, now);
  }
  if (state.since > now) goBack(state, plan, key, now);
}

/**
 * Carries a state from the plan it was written under to another one for the same budget.
 *
 * What was used stays used, to the part, rounded up; what came back until `now` came back at the
 * old pace. Where the old limit allowed more than the new one could, the excess is dropped, so that
 * nobody waits longer than the new limit can impose. Debt that was reserved stays, as far as the new
 * `maxReserved` allows.
 */
function adopt(state: State, plan: Plan, key: string | undefined, now: number): void {
  const from = state.plan as Plan;
  state.plan = plan;
  if (agree(from, plan)) return;
  if (plan.kind === from.kind && plan.algorithm.inherit(state, plan, from, now)) return;
  const before = from.algorithm.spent(state, from, now);
  const debt = convert(Math.max(0, before - from.full), from, plan);
  const most = plan.full + Math.min(debt, plan.spare);
  const spent = convert(before, from, plan);
  const kept = Math.min(spent, most);
  const unsettled = Math.min(kept, convert(from.algorithm.unsettled(state, from, now), from, plan));
  const opening = { spent: kept, unsettled, anchor: anchorOf(plan, key) };
  state.log = undefined;
  state.leases = undefined;
  plan.algorithm.begin(state, plan, opening, Math.max(now, state.since));
}

/** Where the clock went back: far, with the state; less, time stands still for what was used. */
function goBack(state: State, plan: Plan, key: string | undefined, now: number): void {
  if (state.since - now >= plan.period) rewind(state, plan, now);
  else if (state.used === 0 && state.previous === 0) begin(state, plan, key, now);
}

/** Whether two plans are one limit, made ready twice. */
export function agree(one: Plan, other: Plan): boolean {
  return (
    one.kind === other.kind &&
    one.rate === other.rate &&
    one.period === other.period &&
    one.capacity === other.capacity &&
    one.maxReserved === other.maxReserved &&
    one.start === other.start
  );
}

/** Parts of one plan as parts of another, rounded up. */
function convert(parts: number, from: Plan, to: Plan): number {
  if (from.scale === to.scale) return parts;
  const units = Math.floor(parts / from.scale);
  const rest = (parts - units * from.scale) / from.scale;
  return units * to.scale + Math.min(to.scale, Math.ceil(rest * to.scale));
}

/**
 * Brings a state that is ahead of the clock to `now`, what was used with it. Nothing is minted, and
 * nobody waits for more than a period because of the clock.
 */
function rewind(state: State, plan: Plan, now: number): void {
  const ahead = state.since - now;
  state.rewind(Math.ceil(ahead / plan.grid) * plan.grid);
}
