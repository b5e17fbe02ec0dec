/** The steps on shares: records the reports of their holders, and lends units. See `lending.ts`. */
import {
  type Ask,
  type Draw,
  type Drawn,
  Leases,
  type LendingAlgorithm,
  type Lent,
  type OtherState,
  type Plan,
  type State,
} from "../core/index.ts";
import { charge } from "./charge.ts";
import { decide, resetAfter } from "./decide.ts";
import { chargeOthers } from "./definitions.ts";
import { usedAt } from "./ticks.ts";

/**
 * The maximum number of shares of a key at once. With this many, nothing more is lent, and calls go
 * to the store.
 */
export const MOST_SHARES = 256;

/**
 * Carries out a draw: records the holder's report on its shares, takes the amount asked for, and
 * lends. If the amount is refused, nothing is lent.
 */
export function draw(state: State, ask: Ask, drawing: Draw, now: number): Drawn {
  const { plan } = ask;
  const unlisted = report(state, plan, drawing, now);
  const decision = decide(state, plan, ask, now);
  if (!decision.ok) return { decision, lent: { units: 0, lasts: 0, unlisted } };
  charge(state, plan, ask, now);
  const share = lend(state, plan, drawing, now);
  const lent = { ...share, unlisted };
  return { decision: { ...decision, resetAfter: resetAfter(state, plan, now) }, lent };
}

/**
 * Records how much is left of a holder's shares, and removes the shares that it returns.
 *
 * What is left of a share only decreases, and a share is returned only once. So messages may be
 * repeated, lost, or arrive out of order.
 *
 * @returns The ids in `left` with units that are not listed.
 */
function report(state: State, plan: Plan, { left, back }: Draw, now: number): readonly number[] {
  const unlisted: number[] = [];
  // An empty report must change nothing, so that a refused call changes nothing.
  if (left.length === 0 && back.length === 0) return unlisted;
  plan.algorithm.advance(state, plan, now);
  const shares = state.leases;
  for (const { id, units } of left) {
    const before = shares?.cut(id, units) ?? 0;
    if (before === 0 && units > 0) unlisted.push(id);
    noteUsed(state, plan, before - units);
  }
  for (const { id, units } of back) {
    const before = shares?.remove(id)?.units ?? 0;
    const unused = Math.min(before, units);
    state.used -= unused * plan.countsPerUnit;
    noteUsed(state, plan, before - unused);
  }
  return unlisted;
}

/** Units that a holder has used may be settled from then on. */
function noteUsed(state: State, { countsPerUnit }: Plan, units: number): void {
  if (units > 0) state.unsettled += units * countsPerUnit;
}

/**
 * Lends units for a limited time: at most half of those left, so that other processes get some too.
 */
function lend(state: State, plan: Plan, { id, want }: Draw, now: number): Omit<Lent, "unlisted"> {
  plan.algorithm.advance(state, plan, now);
  const units = Math.min(want, lendable(state, plan, now));
  if (units <= 0) return { units: 0, lasts: 0 };
  state.leases ??= new Leases();
  const shares = state.leases;
  const until = (plan.algorithm as LendingAlgorithm).lentUntil(state, plan, now);
  // If `share` was shortened, the instants must still be in order. A later expiry is safe.
  shares.add({ id, units, until: Math.max(until, shares.lastUntil) });
  state.used += units * plan.countsPerUnit;
  if (state.others !== undefined) chargeOthers(state, plan, { count: units, reserve: false }, now);
  return { units, lasts: until - now };
}

/**
 * Returns the maximum number of units that may be lent: half of those left, up to half of the
 * capacity in total.
 */
function lendable(state: State, plan: Plan, now: number): number {
  const { share, capacity, capacityTicks, ticksPerUnit } = plan;
  const size = state.leases?.size ?? 0;
  if (share === 0 || size >= MOST_SHARES) return 0;
  const left = Math.floor((capacityTicks - usedAt(state, plan, now)) / ticksPerUnit);
  return Math.min(Math.ceil(left / 2), Math.floor(capacity / 2) - (state.leases?.units ?? 0));
}

/** Forgets what was used, except for lent units, which their holders may still use. */
export function forgetUsed(state: State, plan: Plan, now: number): void {
  plan.algorithm.advance(state, plan, now);
  const used = (state.leases?.units ?? 0) * plan.countsPerUnit;
  state.write({ used, since: state.since, previous: 0, unsettled: 0 });
}

/** Whether units of a state are lent at `now`. */
export function isLent({ leases, since }: State, plan: Plan | undefined, now: number): boolean {
  if (leases === undefined || plan?.algorithm.list !== "shares") return false;
  return leases.units > leases.unitsUntil(Math.max(since, now));
}

/** Returns the other definitions' states that have lent units. Forgets what else they have used. */
export function lentOthers(
  others: readonly OtherState[] | undefined,
  now: number,
): readonly OtherState[] | undefined {
  const lent = others?.filter(({ state, until }) => until > now && isLent(state, state.plan, now));
  if (lent === undefined || lent.length === 0) return undefined;
  for (const { state } of lent) forgetUsed(state, state.plan as Plan, now);
  return lent;
}
