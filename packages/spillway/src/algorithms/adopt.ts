/** How a state begins, and what keeps it meaningful when its limit or the clock has changed. */
import type { Plan, State } from "../core/index.ts";
import { anchorOf } from "./anchor.ts";

/**
 * Carries a state from the plan it was written under to another one for the same budget.
 *
 * What was used stays used, to the part, rounded up; what came back until `now` came back at the
 * old pace. Where the old limit allowed more than the new one could, the excess is dropped, so that
 * nobody waits longer than the new limit can impose. Debt that was reserved stays, as far as the new
 * `maxReserved` allows.
 */
export function adopt(state: State, plan: Plan, key: string | undefined, now: number): void {
  const from = state.plan as Plan;
  state.plan = plan;
  if (agree(from, plan)) return;
  const before = from.algorithm.spent(state, from, now);
  const debt = convert(Math.max(0, before - from.full), from, plan);
  const most = plan.full + Math.min(debt, plan.spare);
  const spent = convert(before, from, plan);
  const same = plan.kind === from.kind && plan.algorithm.inherits(plan, from);
  if (same && spent <= most) return;
  state.log = undefined;
  const opening = { spent: Math.min(spent, most), anchor: anchorOf(plan, key) };
  plan.algorithm.begin(state, plan, opening, Math.max(now, state.since));
}

/** Whether two plans are one limit, made ready twice. */
function agree(one: Plan, other: Plan): boolean {
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

/** Begins the state of a key that has none. */
export function open(state: State, plan: Plan, key: string | undefined, now: number): void {
  state.plan = plan;
  plan.algorithm.begin(state, plan, { spent: 0, anchor: anchorOf(plan, key) }, now);
}

/** Whether the clock went back so far that a state's instant can't be waited for. */
export function isAhead(state: State, plan: Plan, now: number): boolean {
  return state.since - now >= plan.period;
}

/**
 * Brings a state that is ahead of the clock to `now`, what was used with it. Nothing is minted, and
 * nobody waits for more than a period because of the clock.
 */
export function rewind(state: State, plan: Plan, now: number): void {
  const ahead = state.since - now;
  state.rewind(Math.ceil(ahead / plan.grid) * plan.grid);
}
