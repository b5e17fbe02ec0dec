/**
 * Remembers the use under definitions whose states are not kept for lack of room.
 *
 * A limit may have any number of definitions in use, and a store keeps the states of a few. For the
 * others it keeps one record. The record counts at least as many used units as any of these
 * definitions, until all these units have come back. A definition that is new to the key, or
 * returns, starts with this number of used units. So a forgotten definition admits nothing extra.
 *
 * The record is a state under a definition of its own, a bucket that never refills. So every store
 * keeps it like the state of any other definition, and units taken later count in it too.
 */
import {
  type Budget,
  LONGEST,
  MOST_UNITS,
  type OtherState,
  type Plan,
  State,
} from "../core/index.ts";
import { anchorOf } from "./anchor.ts";
import { leases } from "./leases.ts";
import { agree } from "./migrate.ts";
import { planFor } from "./plan.ts";
import { EXACT, unsettledAt, usedAt } from "./ticks.ts";

/**
 * The definition of the record. No real limit equals it, because a limit with a rate of 0 has no
 * capacity.
 */
export const OVERFLOW: Plan = /* @__PURE__ */ planFor("overflow", {
  kind: "token bucket",
  rate: 0,
  period: LONGEST,
  capacity: MOST_UNITS,
});

/** Whether a state is the overflow record, not that of a definition in use. Pure. */
export function isOverflow({ state: { plan } }: OtherState): boolean {
  return plan !== undefined && agree(plan, OVERFLOW);
}

/**
 * Adds a state that can't be kept to the record. Units and debt are rounded up to whole
 * units.
 */
export function withOverflow(
  others: readonly OtherState[],
  { state, plan }: { readonly state: State; readonly plan: Plan },
  now: number,
): readonly OtherState[] {
  const before = others.find(isOverflow);
  const record = before?.state ?? recordAt(now);
  const ticks = usedAt(state, plan, now);
  record.used = Math.max(record.used, unitsOf(ticks, plan));
  record.previous = Math.max(record.previous, unitsOf(ticks - plan.capacityTicks, plan));
  const backAt = Math.min(now + plan.algorithm.resetAfter(0, state, plan, now), EXACT);
  const until = Math.max(before?.until ?? 0, backAt);
  return [...others.filter((other) => other !== before), { state: record, until }];
}

function recordAt(now: number): State {
  const state = new State();
  state.plan = OVERFLOW;
  state.since = now;
  return state;
}

function unitsOf(ticks: number, { ticksPerUnit }: Plan): number {
  return Math.ceil(ticks / ticksPerUnit);
}

/** Raises the used units to the record's number, as far as the definition allows. */
export function countOverflow(state: State, budget: Budget, now: number): void {
  const record = state.others?.find(isOverflow)?.state;
  if (record === undefined) return;
  const { plan } = budget;
  const debt = Math.min(record.previous * plan.ticksPerUnit, plan.debtTicks);
  const used = Math.min(record.used * plan.ticksPerUnit, plan.capacityTicks + debt);
  const short = used - usedAt(state, plan, now);
  if (short <= 0) return;
  if (plan.family === leases) {
    // Leases in flight continue. The other units are held by a lease without an owner.
    const lease = { id: now, headroom: 0 };
    plan.family.charge(state, plan, { count: short, reserve: false, lease }, now);
  } else {
    const initial = { used, unsettled: unsettledAt(state, plan, now), anchor: anchorOf(budget) };
    plan.family.begin(state, plan, initial, Math.max(now, state.since));
  }
}
