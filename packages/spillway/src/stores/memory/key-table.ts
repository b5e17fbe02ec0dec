import { ownText } from "../../internal/index.ts";
import { decide, resetAfter, usedAt } from "../../limits/algorithms/index.ts";
import { type Budget, type OtherState, type Plan, State } from "../../limits/core/index.ts";
import { EvictionGuard } from "./eviction-guard.ts";
import { LimitKeys } from "./limit-keys.ts";
import { Pages } from "./pages.ts";

/** How many slots are checked, one after the other, whenever a key is added. */
const LOOKED_AT = 8;
/** How many where all are taken, far apart, so that neighbours of one age don't stand for all. */
const LOOKED_AT_IF_FULL = 32;
/** A prime above the most keys there can be: in steps of it, every slot has its turn. */
const STRIDE = 179_424_673;

/** Milliseconds for which a key stays that holds no lease any more: making it anew costs as much as a call. */
const BUSY = 1000;

/** What a store of keys is to do. */
export type KeyTableSettings = {
  /** The most keys over all limits. */
  readonly most: number;
  /** A whole number below 2³² that nobody knows. */
  readonly seed: number;
  /** Called once, when four of five places are taken. */
  readonly crowded: () => void;
};

/** The part of all places that is taken when the store is crowded. */
const CROWDED = 0.8;

/**
 * Which key's state is where, for at most `most` keys over all limits.
 *
 * Whenever a key is added, a few slots are checked, round and round, and those that equal a fresh
 * key's are freed: no timer, and no call that costs more because there are many keys. Where all
 * slots are taken, the one checked that is nearest to fresh makes room; if it was being refused,
 * the guard goes on refusing it.
 */
export class KeyTable {
  readonly #settings: KeyTableSettings;
  readonly #limits = new Map<string, LimitKeys>();
  readonly #pages = new Pages();
  readonly #seen = new State();
  /** There once a refused key had to be forgotten. */
  #guard: EvictionGuard | undefined;
  /** The last plan asked for, and the keys of its limit: at hand, for the next ask is often on the same. */
  #lastPlan: Plan | undefined;
  #lastKeys: LimitKeys | undefined;
  #next = 0;
  #evicted = 0;
  #isCrowded = false;

  constructor(settings: KeyTableSettings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** How many keys were forgotten before they equalled a fresh one, for want of room. */
  get evicted(): number {
    return this.#evicted;
  }

  /** The keys of a plan's limit; undefined where there are none. */
  of(plan: Plan): LimitKeys | undefined {
    if (plan === this.#lastPlan) return this.#lastKeys;
    this.#lastPlan = plan;
    this.#lastKeys = this.#limits.get(plan.limit);
    return this.#lastKeys;
  }

  /** The slot of a budget, or undefined. */
  find({ plan, key }: Budget): number | undefined {
    return this.of(plan)?.slots.get(key);
  }

  /** Reads the state of a slot of a plan's limit. */
  load(slot: number, plan: Plan, state: State): void {
    this.of(plan)?.load(slot, state);
  }

  /** Writes the state of a slot of a plan's limit. */
  save(slot: number, plan: Plan, state: State): void {
    this.of(plan)?.save(slot, state);
  }

  /** Milliseconds for which a budget that has no slot is refused; 0 for none. */
  refusedFor(budget: Budget, now: number): number {
    return this.#guard === undefined ? 0 : this.#guard.refusedFor(budget, now);
  }

  /** Gives a budget a slot with a state. */
  add({ plan, key: given }: Budget, state: State, now: number): void {
    this.#makeRoom(now);
    const key = ownText(given);
    const slot = this.#pages.take(key, plan);
    const keys = this.of(plan) ?? this.#open(plan);
    keys.save(slot, state);
    keys.slots.set(key, slot);
    if (!this.#isCrowded && this.size > CROWDED * this.#settings.most) this.#warn();
  }

  /** Forgets a slot's key. */
  drop(slot: number): void {
    const { limit } = this.#pages.plan(slot) as Plan;
    const { slots } = this.#limits.get(limit) as LimitKeys;
    slots.delete(this.#pages.key(slot));
    if (slots.size === 0) this.#close(limit);
    this.#pages.release(slot);
  }

  #open(plan: Plan): LimitKeys {
    const keys = new LimitKeys(this.#pages, plan);
    this.#limits.set(plan.limit, keys);
    this.#lastPlan = undefined;
    return keys;
  }

  #close(limit: string): void {
    this.#limits.delete(limit);
    this.#lastPlan = undefined;
  }

  #warn(): void {
    this.#isCrowded = true;
    this.#settings.crowded();
  }

  /** Drops what can be dropped among a few slots; where there is no room, what is nearest to it. */
  #makeRoom(now: number): void {
    const isFull = this.size >= this.#settings.most;
    const { length } = this.#pages;
    let nearest: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let left = Math.min(isFull ? LOOKED_AT_IF_FULL : LOOKED_AT, length); left > 0; left--) {
      this.#next = (this.#next + 1) % length;
      const slot = isFull ? (this.#next * STRIDE) % length : this.#next;
      const plan = this.#look(slot);
      if (plan === undefined) continue;
      if (isIdle(this.#seen, plan, now)) this.drop(slot);
      else if (isFull) {
        const distance = distanceFromFresh(this.#seen, plan, now);
        if (distance <= least) [nearest, least] = [slot, distance];
      }
    }
    if (nearest === undefined || this.size < this.#settings.most) return;
    if (least > 0) this.#remember(nearest, now);
    this.drop(nearest);
  }

  /** Reads the state of a slot, and returns its plan; undefined for a free slot. */
  #look(slot: number): Plan | undefined {
    const plan = this.#pages.plan(slot);
    if (plan !== undefined) this.of(plan)?.load(slot, this.#seen);
    return plan;
  }

  /** Counts a key that is forgotten too early; if it is being refused, the guard takes over. */
  #remember(slot: number, now: number): void {
    this.#evicted++;
    const plan = this.#look(slot) as Plan;
    if (decide(this.#seen, plan, ONE, now).ok) return;
    const { most: maxKeys, seed } = this.#settings;
    this.#guard ??= new EvictionGuard({ maxKeys, seed });
    const ms = resetAfter(this.#seen, plan, now);
    this.#guard.refuse({ plan, key: this.#pages.key(slot) }, ms, now);
  }
}

/**
 * Whether a state has equalled a fresh one for a whole period: so it is neither a key that is busy, nor
 * one that a clock that goes back a little would show in use again. A lease is given back long before
 * its time is over: without any, a key is busy for a little while after the last.
 */
function isIdle(state: State, plan: Plan, now: number): boolean {
  const then = now - plan.period;
  if (resetAfter(state, plan, then) > 0) return false;
  if (plan.family.name === "leases" && state.since > Math.max(then, now - BUSY)) return false;
  return state.others === undefined || state.others.every(({ until }) => until <= then);
}

/** 0 for a state that equals a fresh one, 1 where all is used, more in debt, most for a block. */
function distanceFromFresh(state: State, plan: Plan, now: number): number {
  if (state.blockedUntil > now) return Number.MAX_VALUE;
  const distance = usedAt(state, plan, now) / Math.max(plan.capacityTicks, plan.ticksPerUnit);
  return state.others === undefined ? distance : furthest(distance, state.others, now);
}

/** The same over all definitions of a limit, more than 0 while several are in use. */
function furthest(distance: number, others: readonly OtherState[], now: number): number {
  const distances = others
    .filter(({ until }) => until > now)
    .map(({ state }) => distanceFromFresh(state, state.plan as Plan, now) || Number.MIN_VALUE);
  return Math.max(distance, ...distances);
}

const ONE = { count: 1, reserve: false };
