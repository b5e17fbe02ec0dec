import { decide, resetAfter, usedAt } from "../../algorithms/index.ts";
import { type Budget, type OtherState, type Plan, State } from "../../core/index.ts";
import { EvictionGuard } from "./eviction-guard.ts";
import { Pages } from "./pages.ts";

/** How many slots are looked at, one after the other, whenever a key is added. */
const LOOKED_AT = 8;
/** How many where all are taken, far apart, so that neighbours of one age don't stand for all. */
const LOOKED_AT_IF_FULL = 32;
/** A prime above the most keys there can be: in steps of it, every slot has its turn. */
const STRIDE = 179_424_673;

/** The slots of one limit's keys. */
type Slots = Map<string | undefined, number>;

/**
 * Which key's state is where, for at most `most` keys over all limits.
 *
 * Whenever a key is added, a few slots are looked at, round and round, and those that equal a fresh
 * key's are freed: no timer, and no call that costs more because there are many keys. Where all
 * slots are taken, the one looked at that is nearest to fresh makes room; if it was being refused,
 * the guard goes on refusing it.
 */
export class Keys {
  readonly #most: number;
  readonly #limits = new Map<string, Slots>();
  /** The states, by slot. */
  readonly states = new Pages();
  readonly #seen = new State();
  /** There once a refused key had to be forgotten. */
  #guard: EvictionGuard | undefined;
  /** The last plan asked for, and its slots: at hand, for the next ask is often on the same. */
  #lastPlan: Plan | undefined;
  #lastSlots: Slots | undefined;
  #next = 0;
  #evicted = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.states.size;
  }

  /** How many keys were forgotten before they equalled a fresh one, for want of room. */
  get evicted(): number {
    return this.#evicted;
  }

  /** The slot of a budget, or undefined. */
  find({ plan, key }: Budget): number | undefined {
    const slots = plan === this.#lastPlan ? this.#lastSlots : this.#slotsOf(plan);
    return slots?.get(key);
  }

  /** Milliseconds for which a budget that has no slot is refused; 0 for none. */
  refusedFor(budget: Budget, now: number): number {
    return this.#guard === undefined ? 0 : this.#guard.refusedFor(budget, now);
  }

  /** Gives a budget a slot with a state. */
  add({ plan, key }: Budget, state: State, now: number): void {
    this.#makeRoom(now);
    const slot = this.states.take(key);
    this.states.save(slot, state);
    (this.#slotsOf(plan) ?? this.#open(plan)).set(key, slot);
  }

  /** Forgets a slot's key. */
  drop(slot: number): void {
    this.states.load(slot, this.#seen);
    const plan = this.#seen.plan as Plan;
    const slots = this.#slotsOf(plan) as Slots;
    slots.delete(this.states.key(slot));
    if (slots.size === 0) this.#close(plan);
    this.#seen.clear();
    this.states.release(slot, this.#seen);
  }

  #slotsOf(plan: Plan): Slots | undefined {
    this.#lastPlan = plan;
    this.#lastSlots = this.#limits.get(plan.limit);
    return this.#lastSlots;
  }

  #open(plan: Plan): Slots {
    const slots: Slots = new Map();
    this.#limits.set(plan.limit, slots);
    this.#lastPlan = undefined;
    return slots;
  }

  #close(plan: Plan): void {
    this.#limits.delete(plan.limit);
    this.#lastPlan = undefined;
  }

  /** Drops what can be dropped among a few slots; where there is no room, what is nearest to it. */
  #makeRoom(now: number): void {
    const full = this.size >= this.#most;
    const { length } = this.states;
    let nearest: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let left = Math.min(full ? LOOKED_AT_IF_FULL : LOOKED_AT, length); left > 0; left--) {
      this.#next = (this.#next + 1) % length;
      const slot = full ? (this.#next * STRIDE) % length : this.#next;
      this.states.load(slot, this.#seen);
      const { plan } = this.#seen;
      if (plan === undefined) continue;
      const distance = distanceFromFresh(this.#seen, plan, now);
      // Fresh for a whole period: neither a key that is busy, nor one that a clock that goes back a
      // little would show in use again.
      const idle = distance === 0 && distanceFromFresh(this.#seen, plan, now - plan.period) === 0;
      if (idle) this.drop(slot);
      else if (distance <= least) [nearest, least] = [slot, distance];
    }
    if (nearest === undefined || this.size < this.#most) return;
    if (least > 0) this.#remember(nearest, now);
    this.drop(nearest);
  }

  /** Counts a key that is forgotten too early; if it is being refused, the guard takes over. */
  #remember(slot: number, now: number): void {
    this.#evicted++;
    this.states.load(slot, this.#seen);
    const plan = this.#seen.plan as Plan;
    if (decide(this.#seen, plan, ONE, now).ok) return;
    this.#guard ??= new EvictionGuard(cellsFor(this.#most));
    const ms = resetAfter(this.#seen, plan, now);
    this.#guard.refuse({ plan, key: this.states.key(slot) }, ms, now);
  }
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

/** One cell for every 16 keys, as a power of two from 64 to 65536. */
function cellsFor(keys: number): number {
  return 2 ** Math.min(16, Math.max(6, Math.ceil(Math.log2(keys / 16))));
}
