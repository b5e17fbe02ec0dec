/**
 * One limit under several definitions at once, as while a new one is deployed. Each has a state of its
 * own; what is taken under one counts under all of them, as far as they can hold it. So each admits at
 * most what it would alone, and refuses only for units that the key was really given.
 */
import {
  type Amount,
  type Budget,
  type LeaseRef,
  type OtherState,
  type Plan,
  State,
} from "../core/index.ts";
import { leases, release, renew } from "./leases.ts";
import { agree, migrate, mostKept } from "./migrate.ts";
import { countOverflow, isOverflow, withOverflow } from "./overflow.ts";
import { isFarAhead, rewind } from "./rewind.ts";
import { EXACT, usedAt } from "./ticks.ts";

/** The most states beside the one asked under, not counting the record of those that found no place. */
const MOST = 7;

/**
 * Makes a state that of another definition. One that is new to the key takes over what it has used; one
 * that is in use goes on from its own. What the state was before is kept beside it.
 */
export function switchTo(state: State, budget: Budget, now: number): void {
  const others = current(state.others ?? [], now);
  const known = others.find((other) => agree(other.state.plan as Plan, budget.plan));
  if (known === undefined) takeOver(state, others, budget, now);
  else goOn(state, others, known, now);
  state.plan = budget.plan;
}

function takeOver(state: State, others: readonly OtherState[], budget: Budget, now: number): void {
  state.others = keeping(state, others, budget.plan, now);
  migrate(state, budget, now);
  countOverflow(state, budget, now);
}

/** The states beside that of a definition which takes over: that of the one before, where there is a place. */
function keeping(
  state: State,
  others: readonly OtherState[],
  to: Plan,
  now: number,
): State["others"] {
  const plan = state.plan as Plan;
  // One of which nothing is left says no more than none: another store may have forgotten it.
  const isFresh = plan.algorithm.resetAfter(0, state, plan, now) === 0;
  if (isFresh) return others.length === 0 ? undefined : others;
  const places = others.filter((other) => !isOverflow(other)).length;
  if (places >= MOST) return withOverflow(others, { state, plan }, now);
  return [...others, ...current([beside(state.copy(), to, now)], now)];
}

function goOn(state: State, others: readonly OtherState[], known: OtherState, now: number): void {
  const from = state.plan as Plan;
  const plan = known.state.plan as Plan;
  // A block goes back with the clock as the state does under which it was asked for last.
  if (isFarAhead(state, from, now)) rewind(state, from, now);
  const own = new State();
  own.become(state);
  state.others = [...others.filter((other) => other !== known), beside(own, plan, now)];
  state.become(known.state);
}

/** Counts what was taken under one definition under all others, as far as they can hold it. */
export function chargeOthers(state: State, plan: Plan, amount: Amount, now: number): void {
  const others = current(state.others ?? [], now);
  state.others = others.length === 0 ? undefined : others;
  if (others.length === 0) return;
  const used = usedAt(state, plan, now);
  for (const { state: other } of others) {
    chargeToo(other, { amount, most: mostKept(used, plan, other.plan as Plan) }, now);
  }
}

/** What was taken, and how many ticks in all may be used once it is charged. */
type Shared = { readonly amount: Amount; readonly most: number };

/** Charges a state with what was taken under another definition. */
function chargeToo(state: State, { amount, most }: Shared, now: number): void {
  const plan = state.plan as Plan;
  const { count } = amount;
  const id = amount.lease?.id ?? 0;
  const room = Math.floor((most - usedAt(state, plan, now)) / plan.ticksPerUnit);
  // A lease is over after its time, whatever else is in flight.
  const units = plan.family === leases && id !== 0 ? count : Math.min(count, room);
  if (units <= 0) return;
  // What no lease has taken is held by one of nobody's, another one each millisecond: all in one
  // would last for as long as the newest.
  const lease = { id: id || now, headroom: 0 };
  plan.family.charge(state, plan, { count: units, reserve: false, lease }, now);
}

/** Frees what a lease holds under other definitions. */
export function releaseOthers(state: State, held: LeaseRef, now: number): void {
  for (const { state: other } of lending(state)) release(other, held, now);
}

/** Lets a lease last anew under other definitions, each for its own time. */
export function renewOthers(state: State, held: LeaseRef, now: number): void {
  for (const { state: other } of lending(state)) {
    const plan = other.plan as Plan;
    if (renew(other, plan, held, now)) continue;
    // Its time was shorter here: the lease was over, and is in flight again.
    const lease = { id: held.id, headroom: 0 };
    plan.family.charge(other, plan, { count: held.count, reserve: false, lease }, now);
  }
}

function lending({ others = [] }: State): readonly OtherState[] {
  return others.filter(({ state }) => state.plan?.family === leases);
}

/**
 * A state of its own, without a block, as one that is kept beside that of a plan: until nothing is left
 * of it, and for as long as either plan can remember. Kept for less, the two could be taken over from
 * each other again and again.
 */
function beside(state: State, to: Plan, now: number): OtherState {
  const plan = state.plan as Plan;
  state.blockedUntil = 0;
  const left = plan.algorithm.resetAfter(0, state, plan, now);
  return { state, until: Math.min(now + Math.max(left, memory(plan), memory(to)), EXACT) };
}

/** Milliseconds after which nothing is left of a full state, at the latest. */
function memory({ capacity, rate, period }: Plan): number {
  return period * (rate === 0 ? 2 : Math.max(2, Math.ceil(capacity / rate)));
}

/** Those of which something may be left, brought back where the clock went back. */
function current(others: readonly OtherState[], now: number): readonly OtherState[] {
  return others
    .map(({ state, until }) => {
      const plan = state.plan as Plan;
      const back = isFarAhead(state, plan, now) ? rewind(state, plan, now) : 0;
      return { state, until: until - back };
    })
    .filter(({ until }) => until > now);
}
