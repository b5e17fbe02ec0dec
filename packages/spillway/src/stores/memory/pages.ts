import type { Plan, State } from "../../limits/core/index.ts";

/**
 * A page has 8192 slots. A million keys need so few pages that finding one causes no cache miss.
 */
export const SHIFT = 13;
const LENGTH = 1 << SHIFT;
export const MASK = LENGTH - 1;
/** The initial number of slots in the first page, so that a store of few keys stays small. */
const FIRST_LENGTH = 64;

/** The numbers that most states use: `used`, `since`, `previous`, `unsettled`. */
export const WIDTH = 4;

/** The fields that few states use. */
export type RareFields = Pick<
  State,
  "blockedUntil" | "overriddenUntil" | "penalty" | "log" | "leases" | "others"
>;

/**
 * Numbered slots, each with a key and its state, at 48 bytes a slot for a state without rare
 * fields.
 *
 * No slot is an object. Slots are in pages, so that growing copies at most the first page.
 * `LimitKeys` reads and writes the states, because it knows what all states of its limit have in
 * common.
 */
export class Pages {
  readonly cells: Float64Array[] = [];
  readonly plans: (Plan | undefined)[][] = [];
  readonly keys: (string | undefined)[][] = [];
  readonly rests: (RareFields | undefined)[][] = [];
  readonly #free: number[] = [];
  #length = 0;

  /**
   * The maximum number of slots that were ever in use at once. Slots are numbered from 0 to one
   * less.
   */
  get length(): number {
    return this.#length;
  }

  /** The number of slots in use. */
  get size(): number {
    return this.#length - this.#free.length;
  }

  /** Takes a free slot for a key. The caller must then save its state. */
  take(key: string | undefined, plan: Plan): number {
    const slot = this.#free.pop() ?? this.#append();
    this.#listOf(this.keys, slot)[slot & MASK] = key;
    this.#listOf(this.plans, slot)[slot & MASK] = plan;
    return slot;
  }

  /** Frees a slot, and drops its references. */
  release(slot: number): void {
    this.#listOf(this.keys, slot)[slot & MASK] = undefined;
    this.#listOf(this.plans, slot)[slot & MASK] = undefined;
    if (this.#listOf(this.rests, slot).length > 0) {
      this.#listOf(this.rests, slot)[slot & MASK] = undefined;
    }
    this.#free.push(slot);
  }

  /** Returns the key of a slot in use. */
  key(slot: number): string | undefined {
    return this.#listOf(this.keys, slot)[slot & MASK];
  }

  /** Returns the plan under which a slot's state was written; undefined for a free slot. */
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

  /** The arrays of keys, plans and rare fields grow by themselves. */
  #growFirst(): void {
    const [cells] = this.cells as [Float64Array];
    const more = new Float64Array(cells.length * 2);
    more.set(cells);
    this.cells[0] = more;
  }
}
