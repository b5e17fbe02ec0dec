import { ownText } from "../../internal/index.ts";
import {
  decide,
  freshAfter,
  recordLeft,
  resetAfter,
  usedAt,
} from "../../limits/algorithms/index.ts";
import { type Budget, type OtherState, type Plan, State } from "../../limits/core/index.ts";
import { EvictionGuard } from "./eviction-guard.ts";
import { LimitKeys } from "./limit-keys.ts";
import { Pages } from "./pages.ts";

/** Slots that are checked, one after the other, whenever a key is added. */
const LOOKED_AT = 8;
/**
 * The number of slots that are checked if all are in use. These slots are far apart, because
 * neighbours are often of the same age.
 */
const LOOKED_AT_IF_FULL = 32;
/** A prime above the largest number of keys. Steps of it reach every slot. */
const STRIDE = 179_424_673;

/**
 * How long a key without leases stays, in milliseconds: creating it again costs as much as a call.
 */
const BUSY = 1000;

/** Settings of the table of keys. */
export type KeyTableSettings = {
  /** The maximum number of keys over all limits. */
  readonly most: number;
  /** A secret whole number from 0 to 2³² − 1. */
  readonly seed: number;
  /** Called once, when more than 80 % of `most` are in use. */
  readonly crowded: () => void;
};

/** The fraction of slots in use above which the store is crowded. */
const CROWDED = 0.8;

/**
 * Keeps the states of at most `most` keys, over all limits.
 *
 * Whenever a key is added, it checks a few slots, in turn, and frees those whose state equals a
 * fresh one. So it needs no timer, and no call costs more because there are many keys. If all slots
 * are in use, it evicts the checked key that is nearest to fresh. If that key was being refused,
 * the guard keeps refusing it.
 */
export class KeyTable {
  readonly #settings: KeyTableSettings;
  readonly #limits = new Map<string, LimitKeys>();
  readonly #pages = new Pages();
  readonly #seen = new State();
  /** Undefined until a key is evicted while it is being refused. */
  #guard: EvictionGuard | undefined;
  /**
   * The plan of the last lookup, and the keys of its limit. The next call often has the same plan.
   */
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

  /** The number of keys that were evicted before they equalled a fresh one. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Returns the keys of a plan's limit; undefined if it has none. */
  of(plan: Plan): LimitKeys | undefined {
    if (plan === this.#lastPlan) return this.#lastKeys;
    this.#lastPlan = plan;
    this.#lastKeys = this.#limits.get(plan.limit);
    return this.#lastKeys;
  }

  /** Returns the slot of a budget; undefined if it has none. */
  find({ plan, key }: Budget): number | undefined {
    return this.of(plan)?.slots.get(key);
  }

  /** Loads the state in a slot of a plan's limit. */
  load(slot: number, plan: Plan, state: State): void {
    this.of(plan)?.load(slot, state);
  }

  /** Saves the state in a slot of a plan's limit. */
  save(slot: number, plan: Plan, state: State): void {
    this.of(plan)?.save(slot, state);
  }

  /**
   * Returns how long the guard refuses a budget without a slot, in milliseconds; 0 if it does not.
   */
  refusedFor(budget: Budget, now: number): number {
    return this.#guard === undefined ? 0 : this.#guard.refusedFor(budget, now);
  }

  /** Gives a budget a slot, and saves its state there. May evict another key. */
  add({ plan, key: given }: Budget, state: State, now: number): void {
    this.#makeRoom(now);
    const key = ownText(given);
    const slot = this.#pages.take(key, plan);
    const keys = this.of(plan) ?? this.#open(plan);
    keys.save(slot, state);
    keys.slots.set(key, slot);
    if (!this.#isCrowded && this.size > CROWDED * this.#settings.most) this.#warn();
  }

  /** Removes the key of a slot, and frees the slot. */
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

  /**
   * Drops idle keys among a few slots. If all slots are still in use, drops the key nearest to
   * fresh.
   */
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
        if (distance <= least && distance < Infinity) [nearest, least] = [slot, distance];
      }
    }
    if (nearest === undefined || this.size < this.#settings.most) return;
    if (least > 0) this.#remember(nearest, now);
    this.drop(nearest);
  }

  /** Loads the state in a slot into `#seen`. Returns its plan; undefined if the slot is free. */
  #look(slot: number): Plan | undefined {
    const plan = this.#pages.plan(slot);
    if (plan !== undefined) this.of(plan)?.load(slot, this.#seen);
    return plan;
  }

  /** Counts an evicted key. If the key is being refused, the guard keeps refusing it. */
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
 * Whether a state has equalled a fresh one for at least a period.
 *
 * Such a key is not busy, and does not count as used again if the clock steps back a little. Leases
 * are usually released long before their period ends. So a key without leases stays for `BUSY`
 * milliseconds after its last lease was taken or renewed.
 */
function isIdle(state: State, plan: Plan, now: number): boolean {
  const then = now - plan.period;
  if (freshAfter(state, plan, then) > 0) return false;
  if (plan.family.name === "leases" && state.since > Math.max(then, now - BUSY)) return false;
  return state.others === undefined || state.others.every(({ until }) => until <= then);
}

/**
 * Returns 0 for a state that equals a fresh one, 1 for a full one, more for debt, most for a block.
 * An override is never evicted, so it is `Infinity` away.
 */
function distanceFromFresh(state: State, plan: Plan, now: number): number {
  if (state.overriddenUntil > now) return Number.POSITIVE_INFINITY;
  if (state.blockedUntil > now) return Number.MAX_VALUE;
  const used = usedAt(state, plan, now) / Math.max(plan.capacityTicks, plan.ticksPerUnit);
  const distance = recordLeft(state.penalty, now) > 0 ? used || Number.MIN_VALUE : used;
  return state.others === undefined ? distance : furthest(distance, state.others, now);
}

/**
 * Returns the largest distance under all definitions of a limit; above 0 while several are in use.
 */
function furthest(distance: number, others: readonly OtherState[], now: number): number {
  const distances = others
    .filter(({ until }) => until > now)
    .map(({ state }) => distanceFromFresh(state, state.plan as Plan, now) || Number.MIN_VALUE);
  return Math.max(distance, ...distances);
}

const ONE = { count: 1, reserve: false };
