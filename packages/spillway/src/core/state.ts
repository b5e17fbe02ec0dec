import type { Plan } from "./algorithm.ts";
import type { Leases } from "./leases.ts";
import type { Log } from "./log.ts";

/** Numbers in one state, and which is which. */
const WIDTH = 5;
const USED = 0;
const SINCE = 1;
const PREVIOUS = 2;
const UNSETTLED = 3;
const BLOCKED_UNTIL = 4;

/** The state of a key under a definition of its limit that others ask under as well. */
export type OtherState = {
  /** Says what the key has used; a block is kept in the state that this one is beside. */
  readonly state: State;
  /** The instant until which it is kept: by then nothing is left of what its definition admitted. */
  readonly until: number;
};

/** Room for many states side by side: 48 bytes each, whatever the kind. Zeros are fresh states. */
export class Slab {
  readonly cells: Float64Array;
  /** The plan that each state was written under, by index; undefined where there is no state. */
  readonly plans: (Plan | undefined)[];
  /** The logs of sliding logs, by index; empty where there are none. */
  readonly logs: (Log | undefined)[] = [];
  /** The leases of concurrency limits, by index; empty where there are none. */
  readonly leases: (Leases | undefined)[] = [];
  /** States under other definitions, by index; empty where no limit has changed lately. */
  readonly others: (readonly OtherState[] | undefined)[] = [];

  /** @param length How many states. */
  constructor(length: number) {
    this.cells = new Float64Array(length * WIDTH);
    this.plans = new Array(length).fill(undefined);
  }
}

/**
 * What is known of one key under one limit: five whole numbers, and a log or leases where the kind
 * keeps them.
 *
 * A view that can be pointed at any place of any slab, so that a million states need no objects.
 * Amounts are in ticks (see `Plan`), instants in milliseconds since 1970.
 */
export class State {
  #slab: Slab;
  #index = 0;
  #cells: Float64Array;
  #cell = 0;

  /** A state of its own, fresh, unless a slab is given. */
  constructor(slab: Slab = new Slab(1)) {
    this.#slab = slab;
    this.#cells = slab.cells;
  }

  /** Points at another place from now on. Returns itself. */
  point(slab: Slab, index: number): this {
    this.#slab = slab;
    this.#index = index;
    this.#cells = slab.cells;
    this.#cell = index * WIDTH;
    return this;
  }

  /** What was used and had not come back at `since`. */
  get used(): number {
    return this.#cells[this.#cell + USED] as number;
  }

  set used(counts: number) {
    this.#cells[this.#cell + USED] = counts;
  }

  /** The instant the state was written for, or at which its window began. */
  get since(): number {
    return this.#cells[this.#cell + SINCE] as number;
  }

  set since(instant: number) {
    this.#cells[this.#cell + SINCE] = instant;
  }

  /** What the window before used, for kinds that remember it. */
  get previous(): number {
    return this.#cells[this.#cell + PREVIOUS] as number;
  }

  set previous(counts: number) {
    this.#cells[this.#cell + PREVIOUS] = counts;
  }

  /** What was taken, has not come back, and may still be settled; never above `used`. */
  get unsettled(): number {
    return this.#cells[this.#cell + UNSETTLED] as number;
  }

  set unsettled(counts: number) {
    this.#cells[this.#cell + UNSETTLED] = counts;
  }

  /** The instant until which the key is blocked; 0 if it is not. */
  get blockedUntil(): number {
    return this.#cells[this.#cell + BLOCKED_UNTIL] as number;
  }

  set blockedUntil(instant: number) {
    this.#cells[this.#cell + BLOCKED_UNTIL] = instant;
  }

  /** The plan the state was written under; undefined where there is no state. */
  get plan(): Plan | undefined {
    return this.#slab.plans[this.#index];
  }

  set plan(plan: Plan | undefined) {
    this.#slab.plans[this.#index] = plan;
  }

  /** The log of admitted asks, for the kind that keeps one. */
  get log(): Log | undefined {
    return this.#slab.logs[this.#index];
  }

  set log(log: Log | undefined) {
    if (log !== undefined || this.#slab.logs.length > 0) this.#slab.logs[this.#index] = log;
  }

  /** The leases in flight, for the kind that lends them. */
  get leases(): Leases | undefined {
    return this.#slab.leases[this.#index];
  }

  set leases(leases: Leases | undefined) {
    const all = this.#slab.leases;
    if (leases !== undefined || all.length > 0) all[this.#index] = leases;
  }

  /** The same key under other definitions of its limit, while several are in use. */
  get others(): readonly OtherState[] | undefined {
    const { others } = this.#slab;
    return others.length === 0 ? undefined : others[this.#index];
  }

  set others(others: readonly OtherState[] | undefined) {
    const all = this.#slab.others;
    if (others !== undefined || all.length > 0) all[this.#index] = others;
  }

  /** Writes what changes when units are taken or come back. */
  write(next: {
    readonly used: number;
    readonly since: number;
    readonly previous: number;
    readonly unsettled: number;
  }): void {
    const cells = this.#cells;
    const cell = this.#cell;
    cells[cell + USED] = next.used;
    cells[cell + SINCE] = next.since;
    cells[cell + PREVIOUS] = next.previous;
    cells[cell + UNSETTLED] = next.unsettled;
  }

  /** A state of its own that says the same; other definitions are left out. */
  copy(): State {
    const slab = new Slab(1);
    slab.cells.set(this.#cells.subarray(this.#cell, this.#cell + WIDTH));
    slab.plans[0] = this.plan;
    slab.logs[0] = this.log?.copy();
    slab.leases[0] = this.leases?.copy();
    return new State(slab);
  }

  /** Says what another state says, whose log and leases it takes; the block stays its own. */
  become(other: State): void {
    this.write(other);
    this.plan = other.plan;
    this.log = other.log;
    this.leases = other.leases;
  }

  /** Becomes no state at all. */
  clear(): void {
    this.#cells.fill(0, this.#cell, this.#cell + WIDTH);
    this.plan = undefined;
    this.log = undefined;
    this.leases = undefined;
    this.others = undefined;
  }

  /** Moves every instant back, for a clock that went back. */
  rewind(ms: number): void {
    this.since -= ms;
    this.blockedUntil = Math.max(0, this.blockedUntil - ms);
    this.log?.rewind(ms);
    this.leases?.rewind(ms);
  }
}
