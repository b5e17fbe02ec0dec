import { type Plan, Slab, type State } from "../../core/index.ts";

const SHIFT = 10;
const LENGTH = 1 << SHIFT;
const MASK = LENGTH - 1;

/** Numbered slots, each with a state and its key, in slabs of 1024, so that growing copies nothing. */
export class Pages {
  readonly #slabs: Slab[] = [];
  readonly #keys: (string | undefined)[][] = [];
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

  /** Takes a free slot, and points a state at it. */
  take(plan: Plan, key: string | undefined): number {
    const slot = this.#free.pop() ?? this.#length++;
    if (slot >> SHIFT === this.#slabs.length) this.#grow();
    this.#slab(slot).plans[slot & MASK] = plan;
    this.#keysOf(slot)[slot & MASK] = key;
    return slot;
  }

  /** Frees a slot, at which a state is left pointing. */
  release(slot: number, state: State): void {
    this.look(slot, state).clear();
    this.#keysOf(slot)[slot & MASK] = undefined;
    this.#free.push(slot);
  }

  /** Points a state at a slot, and returns it. */
  look(slot: number, state: State): State {
    return state.point(this.#slab(slot), slot & MASK);
  }

  /** The key of a slot in use. */
  key(slot: number): string | undefined {
    return this.#keysOf(slot)[slot & MASK];
  }

  #grow(): void {
    this.#slabs.push(new Slab(LENGTH));
    this.#keys.push(new Array(LENGTH).fill(undefined));
  }

  #slab(slot: number): Slab {
    return this.#slabs[slot >> SHIFT] as Slab;
  }

  #keysOf(slot: number): (string | undefined)[] {
    return this.#keys[slot >> SHIFT] as (string | undefined)[];
  }
}
