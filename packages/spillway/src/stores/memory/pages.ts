import { Block, type Plan, type State } from "../../core/index.ts";

const SHIFT = 10;
const LENGTH = 1 << SHIFT;
const MASK = LENGTH - 1;

type Page = {
  readonly block: Block;
  /** The plan each state was written under; undefined where the slot is free. */
  readonly plans: (Plan | undefined)[];
  readonly keys: (string | undefined)[];
};

/**
 * Numbered slots, each with a state, its plan and its key: 56 bytes a slot, in pages of 1024, so that
 * growing copies nothing.
 */
export class Pages {
  readonly #pages: Page[] = [];
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

  /** Takes a free slot; its state is fresh. */
  take(plan: Plan, key: string | undefined): number {
    const slot = this.#free.pop() ?? this.#length++;
    if (slot >> SHIFT === this.#pages.length) this.#pages.push(newPage());
    const page = this.#page(slot);
    page.plans[slot & MASK] = plan;
    page.keys[slot & MASK] = key;
    return slot;
  }

  /** Frees a slot. */
  release(slot: number, state: State): void {
    const page = this.#page(slot);
    page.plans[slot & MASK] = undefined;
    page.keys[slot & MASK] = undefined;
    this.look(slot, state).clear();
    this.#free.push(slot);
  }

  /** Points a state at a slot, and returns it. */
  look(slot: number, state: State): State {
    return state.point(this.#page(slot).block, slot & MASK);
  }

  plan(slot: number): Plan | undefined {
    return this.#page(slot).plans[slot & MASK];
  }

  setPlan(slot: number, plan: Plan): void {
    this.#page(slot).plans[slot & MASK] = plan;
  }

  key(slot: number): string | undefined {
    return this.#page(slot).keys[slot & MASK];
  }

  #page(slot: number): Page {
    return this.#pages[slot >> SHIFT] as Page;
  }
}

function newPage(): Page {
  return {
    block: new Block(LENGTH),
    plans: new Array(LENGTH).fill(undefined),
    keys: new Array(LENGTH).fill(undefined),
  };
}
