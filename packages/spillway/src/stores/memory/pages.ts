import type { Plan, State } from "../../limits/core/index.ts";

/** A page has 8192 slots: large enough that finding one among a million keys costs no cache miss. */
export const SHIFT = 13;
const LENGTH = 1 << SHIFT;
export const MASK = LENGTH - 1;
/** Slots that the first page has at first: a store of few keys is small. */
const FIRST_LENGTH = 64;

/** Numbers of a state that most states have: used, since, previous, unsettled. */
export const WIDTH = 4;

/** What few states have. */
export type RareFields = Pick<State, "blockedUntil" | "log" | "leases" | "others">;

/**
 * Numbered slots, each with a key and its state, without an object each: 48 bytes for a state that
 * has no rest. They are in pages, so that growing copies at most one of these.
 *
 * What a slot has is read and written by `LimitKeys`, which knows what all states of its limit share.
 */
export class Pages {
  readonly cells: Float64Array[] = [];
  readonly plans: (Plan | undefined)[][] = [];
  readonly keys: (string | undefined)[][] = [];
  readonly rests: (RareFields | undefined)[][] = [];
  readonly #free: number[] = [];
  #length = 0;

  /** How many slots have ever been in use at once: numbers run from 0 to this. */
  get length(): number {
    return this.#length;
  }

  /** How many slots are in use. */
  get size(): number {
    return this.#length - this.#free.length;
  }

  /** Takes a free slot for a key of a limit. Its state is to be saved. */
  take(key: string | undefined, plan: Plan): number {
    const slot = this.#free.pop() ?? this.#append();
    this.#listOf(this.keys, slot)[slot & MASK] = key;
    this.#listOf(this.plans, slot)[slot & MASK] = plan;
    return slot;
  }

  /** Frees a slot, which keeps no reference to what it had. */
  release(slot: number): void {
    this.#listOf(this.keys, slot)[slot & MASK] = undefined;
    this.#listOf(this.plans, slot)[slot & MASK] = undefined;
    if (this.#listOf(this.rests, slot).length > 0) {
      this.#listOf(this.rests, slot)[slot & MASK] = undefined;
    }
    this.#free.push(slot);
  }

  /** The key of a slot in use. */
  key(slot: number): string | undefined {
    return this.#listOf(this.keys, slot)[slot & MASK];
  }

  /** The plan that a slot's state was written under; undefined for a free slot. */
  plan(slot: number): Plan | undefined {
    return this.#listOf(this.plans, slot)[slot & MASK];
  }

  #listOf<T>(lists: T[][], slot: number): T[] {
    return lists[slot >> SHIFT] as T[];
  }

  #append(): number {
    const slot = this.#length++;
    const page = slot >> SHIFT;
    if (page === this.cells.length) this.#open(page);
    else if (page === 0 && slot * WIDTH === this.cells[0]?.length) this.#growFirst();
    return slot;
  }

  #open(page: number): void {
    const length = page === 0 ? FIRST_LENGTH : LENGTH;
    this.cells[page] = new Float64Array(length * WIDTH);
    this.plans[page] = new Array(length).fill(undefined);
    this.keys[page] = new Array(length).fill(undefined);
    this.rests[page] = [];
  }

  /** The lists beside the numbers grow by themselves. */
  #growFirst(): void {
    const [cells] = this.cells as [Float64Array];
    const more = new Float64Array(cells.length * 2);
    more.set(cells);
    this.cells[0] = more;
  }
}
