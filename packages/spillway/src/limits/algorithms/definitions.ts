/**
 * Keeps one limit under several definitions at once, for example while a new one is deployed.
 *
 * Each definition has a state of its own. Units taken under one count under all others, as far as
 * these can hold them. So each definition admits at most what it would admit alone, and refuses
 * only for units that the key was really given.
 */
import {
  type Amount,
  type Budget,
  type LeaseRef,
  type OtherState,
  type Plan,
  State,
} from "../core/index.ts";
import { begin } from "./begin.ts";
import { leases, release, renew } from "./leases.ts";
import { agree, migrate, mostKept } from "./migrate.ts";
import { countOverflow, isOverflow, withOverflow } from "./overflow.ts";
import { isFarAhead, rewind } from "./rewind.ts";
import { EXACT, usedAt } from "./ticks.ts";

/** The maximum number of states kept beside the current one, not counting the overflow record. */
const MOST = 7;

/**
 * Switches a state to another definition, and keeps the earlier one beside it.
 *
 * A definition that is new to the key takes over what the key has used. One that is in use
 * continues from its own state.
 */
function switchTo(state: State, budget: Budget, now: number): void {
  const others = current(state.others ?? [], now);
  const known = others.find((other) => agree(other.state.plan as Plan, budget.plan));
  if (known === undefined) takeOver(state, others, budget, now);
  else switchToKnown(state, others, known, now);
  state.plan = budget.plan;
}

/** Writes a state under the definition of a budget: begins a new one, or switches to it. */
export function switchDefinition(state: State, budget: Budget, now: number): void {
  const { plan } = budget;
  if (state.plan === undefined) begin(state, budget, now);
  else if (agree(state.plan, plan)) state.plan = plan;
  else switchTo(state, budget, now);
}

/**
 * Switches to the definition of a budget for a time, and keeps the one before until that is over
 * and everything that it counts has come back.
 */
export function switchUntil(end: number, state: State, budget: Budget, now: number): void {
  const before = state.plan as Plan;
  if (agree(before, budget.plan)) return;
  switchTo(state, budget, now);
  const others = state.others ?? [];
  const known = others.find((other) => agree(other.state.plan as Plan, before));
  if (known === undefined && isFull(others)) return;
  const kept = known?.state ?? fresh({ ...budget, plan: before }, now);
  const until = Math.min(EXACT, Math.max(known?.until ?? 0, end + memory(before)));
  state.others = [...others.filter((other) => other !== known), { state: kept, until }];
}

function fresh(budget: Budget, now: number): State {
  const state = new State();
  begin(state, budget, now);
  return state;
}

function isFull(others: readonly OtherState[]): boolean {
  return others.filter((other) => !isOverflow(other)).length >= MOST;
}

function takeOver(state: State, others: readonly OtherState[], budget: Budget, now: number): void {
  state.others = keeping(state, others, budget.plan, now);
  migrate(state, budget, now);
  countOverflow(state, budget, now);
}

/**
 * Returns the states to keep beside a new definition. They include the state before it, if there is
 * room.
 */
function keeping(
  state: State,
  others: readonly OtherState[],
  to: Plan,
  now: number,
): State["others"] {
  const plan = state.plan as Plan;
  // A state that equals a fresh one is not kept, because another store may have dropped it already.
  const isFresh = plan.algorithm.resetAfter(0, state, plan, now) === 0;
  if (isFresh) return others.length === 0 ? undefined : others;
  if (isFull(others)) return withOverflow(others, { state, plan }, now);
  return [...others, ...current([beside(state.copy(), to, now)], now)];
}

function switchToKnown(
  state: State,
  others: readonly OtherState[],
  known: OtherState,
  now: number,
): void {
  const from = state.plan as Plan;
  const plan = known.state.plan as Plan;
  // If the clock stepped back, a block moves back with the state of the last definition in use.
  if (isFarAhead(state, from, now)) rewind(state, from, now);
  const own = new State();
  own.become(state);
  state.others = [...others.filter((other) => other !== known), beside(own, plan, now)];
  state.become(known.state);
}

/** Charges an amount taken under one definition to all others, as far as they can hold it. */
export function chargeOthers(state: State, plan: Plan, amount: Amount, now: number): void {
  const others = current(state.others ?? [], now);
  state.others = others.length === 0 ? undefined : others;
  if (others.length === 0) return;
  const used = usedAt(state, plan, now);
  for (const { state: other } of others) {
    chargeOther(other, { amount, most: mostKept(used, plan, other.plan as Plan) }, now);
  }
}

/**
 * An amount that was taken, and the maximum number of ticks that may be used after it is charged.
 */
type BoundedAmount = { readonly amount: Amount; readonly most: number };

/** Charges a state with an amount that was taken under another definition. */
function chargeOther(state: State, { amount, most }: BoundedAmount, now: number): void {
  const plan = state.plan as Plan;
  const { count } = amount;
  const id = amount.lease?.id ?? 0;
  const room = Math.floor((most - usedAt(state, plan, now)) / plan.ticksPerUnit);
  // A lease is always charged in full, because it expires by itself.
  const units = plan.family === leases && id !== 0 ? count : Math.min(count, room);
  if (units <= 0) return;
  // Units taken without a lease are held by a lease without an owner, a new one each millisecond. A
  // single one would keep all of them until the newest expires.
  const lease = { id: id || now, headroom: 0 };
  plan.family.charge(state, plan, { count: units, reserve: false, lease }, now);
}

/** Releases a lease under other definitions. */
export function releaseOthers(state: State, held: LeaseRef, now: number): void {
  for (const { state: other } of lending(state)) release(other, held, now);
}

/** Renews a lease under other definitions, each for its own `ttl`. */
export function renewOthers(state: State, held: LeaseRef, now: number): void {
  for (const { state: other } of lending(state)) {
    const plan = other.plan as Plan;
    if (renew(other, plan, held, now)) continue;
    // The `ttl` is shorter here: the lease had expired, and is taken again.
    const lease = { id: held.id, headroom: 0 };
    plan.family.charge(other, plan, { count: held.count, reserve: false, lease }, now);
  }
}

function lending({ others = [] }: State): readonly OtherState[] {
  return others.filter(({ state }) => state.plan?.family === leases);
}

/**
 * Prepares a state to be kept beside a plan's current state. Removes its block, override and
 * penalty record.
 *
 * It is kept until it equals a fresh one, and at least as long as either plan can remember. If it
 * were dropped sooner, the two definitions could take over from each other again and again.
 */
function beside(state: State, to: Plan, now: number): OtherState {
  const plan = state.plan as Plan;
  state.blockedUntil = 0;
  state.overriddenUntil = 0;
  state.penalty = undefined;
  const left = plan.algorithm.resetAfter(0, state, plan, now);
  return { state, until: Math.min(now + Math.max(left, memory(plan), memory(to)), EXACT) };
}

/** Returns the milliseconds after which a full state equals a fresh one, at the latest. */
function memory({ capacity, rate, period }: Plan): number {
  return period * (rate === 0 ? 2 : Math.max(2, Math.ceil(capacity / rate)));
}

/** Returns the states that may still hold something, moved back if the clock stepped back. */
function current(others: readonly OtherState[], now: number): readonly OtherState[] {
  return others
    .map(({ state, until }) => {
      const plan = state.plan as Plan;
      const back = isFarAhead(state, plan, now) ? rewind(state, plan, now) : 0;
      return { state, until: until - back };
    })
    .filter(({ until }) => until > now);
}
