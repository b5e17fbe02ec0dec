import { decide, resetAfter } from "../../algorithms/index.ts";
import { type Budget, type Plan, State } from "../../core/index.ts";
import { Floor } from "./floor.ts";
import { Pages } from "./pages.ts";

/** How many slots are looked at, one after the other, whenever a key is added. */
const LOOKED_AT = 8;
/** How many where all are taken, far apart, so that neighbours of one age don't stand for all. */
const LOOKED_AT_IF_FULL = 32;
/** A prime above the most keys there can be: in steps of it, every slot has its turn. */
const STRIDE = 179_424_673;

/** The keys of one limit. */
type Table = {
  readonly slots: Map<string | undefined, number>;
  /** There once a refused key had to be forgotten. */
  floor: Floor | undefined;
};

/**
 * Which key's state is where, for at most `most` keys over all limits.
 *
 * Whenever a key is added, a few slots are looked at, round and round, and those that equal a fresh
 * key's are freed: no timer, and no call that costs more because there are many keys. Where all
 * slots are taken, the one looked at that is nearest to fresh makes room; if it was being refused,
 * its limit's floor goes on refusing it.
 */
export class Keys {
  readonly #most: number;
  readonly #tables = new Map<string, Table>();
  readonly #pages = new Pages();
  #lastPlan: Plan | undefined;
  #lastTable: Table | undefined;
  readonly #seen = new State();
  #next = 0;
  #evicted = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** How many keys were forgotten before they equalled a fresh one, for want of room. */
  get evicted(): number {
    return this.#evicted;
  }

  /** The slot of a budget, or undefined. */
  find({ plan, key }: Budget): number | undefined {
    return this.#tableOf(plan)?.slots.get(key);
  }

  /** The instant until which a budget that has no slot is refused. */
  floorOf({ plan, key }: Budget): number {
    return this.#tableOf(plan)?.floor?.until(key) ?? 0;
  }

  /** Gives a budget a slot. */
  add({ plan, key }: Budget, now: number): number {
    this.#makeRoom(now);
    const slot = this.#pages.take(plan, key);
    this.#openTable(plan).slots.set(key, slot);
    return slot;
  }

  /** Points a state at a slot, and returns it. */
  look(slot: number, state: State): State {
    return this.#pages.look(slot, state);
  }

  /** Forgets a slot's key. */
  drop(slot: number): void {
    const plan = this.look(slot, this.#seen).plan as Plan;
    const table = this.#openTable(plan);
    table.slots.delete(this.#pages.key(slot));
    if (table.slots.size === 0 && table.floor === undefined) this.#dropTable(plan);
    this.#pages.release(slot, this.#seen);
  }

  /** The table of a plan's limit, if there is one. The last one found is at hand. */
  #tableOf(plan: Plan): Table | undefined {
    if (plan === this.#lastPlan) return this.#lastTable;
    this.#lastPlan = plan;
    this.#lastTable = this.#tables.get(plan.limit);
    return this.#lastTable;
  }

  #openTable(plan: Plan): Table {
    const found = this.#tableOf(plan);
    if (found !== undefined) return found;
    const table: Table = { slots: new Map(), floor: undefined };
    this.#tables.set(plan.limit, table);
    this.#lastTable = table;
    return table;
  }

  #dropTable(plan: Plan): void {
    this.#tables.delete(plan.limit);
    this.#lastPlan = undefined;
  }

  /** Drops what can be dropped among a few slots; where there is no room, what is nearest to it. */
  #makeRoom(now: number): void {
    const full = this.size >= this.#most;
    const { length } = this.#pages;
    let nearest: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let left = Math.min(full ? LOOKED_AT_IF_FULL : LOOKED_AT, length); left > 0; left--) {
      this.#next = (this.#next + 1) % length;
      const slot = full ? (this.#next * STRIDE) % length : this.#next;
      const state = this.look(slot, this.#seen);
      const { plan } = state;
      if (plan === undefined) continue;
      const distance = distanceFromFresh(state, plan, now);
      // A busy key is fresh again and again; it stays until it has been idle for a period.
      if (distance === 0 && now - state.since >= plan.period) this.drop(slot);
      else if (distance <= least) [nearest, least] = [slot, distance];
    }
    if (nearest === undefined || this.size < this.#most) return;
    if (least > 0) this.#remember(nearest, now);
    this.drop(nearest);
  }

  /** Counts a key that is forgotten too early; if it is being refused, the floor takes over. */
  #remember(slot: number, now: number): void {
    this.#evicted++;
    const state = this.look(slot, this.#seen);
    const plan = state.plan as Plan;
    if (decide(state, plan, ONE, now).ok) return;
    const table = this.#openTable(plan);
    table.floor ??= new Floor(cellsFor(this.#most));
    table.floor.raise(this.#pages.key(slot), now + resetAfter(state, plan, now));
  }
}

/** 0 for a state that equals a fresh one, 1 where all is used, more in debt, most for a block. */
function distanceFromFresh(state: State, plan: Plan, now: number): number {
  if (state.blockedUntil > now) return Number.MAX_VALUE;
  return plan.algorithm.spent(state, plan, now) / Math.max(plan.full, plan.scale);
}

const ONE = { count: 1, reserve: false };

/** One cell for every 16 keys, as a power of two from 64 to 65536. */
function cellsFor(keys: number): number {
  return 2 ** Math.min(16, Math.max(6, Math.ceil(Math.log2(keys / 16))));
}
