import type { Leases, Log, OtherState, Plan, State } from "../../core/index.ts";

const SHIFT = 10;
const LENGTH = 1 << SHIFT;
const MASK = LENGTH - 1;

/** The numbers of a state, and which is which. */
const WIDTH = 5;
const USED = 0;
const SINCE = 1;
const PREVIOUS = 2;
const UNSETTLED = 3;
const BLOCKED_UNTIL = 4;

/** What few states have: undefined until one of a page has it. */
type Few<T> = (T | undefined)[] | undefined;

/** The states of 1024 slots, without an object each: 48 bytes a state, whatever the kind. */
class Page {
  readonly cells = new Float64Array(LENGTH * WIDTH);
  readonly plans: (Plan | undefined)[] = new Array(LENGTH).fill(undefined);
  readonly keys: (string | undefined)[] = new Array(LENGTH).fill(undefined);
  logs: Few<Log> = undefined;
  leases: Few<Leases> = undefined;
  others: Few<readonly OtherState[]> = undefined;
}

/** Numbered slots, each with a state and its key, in pages of 1024, so that growing copies nothing. */
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

  /** Takes a free slot for a key. Its state is to be saved. */
  take(key: string | undefined): number {
    const slot = this.#free.pop() ?? this.#length++;
    if (slot >> SHIFT === this.#pages.length) this.#pages.push(new Page());
    this.#page(slot).keys[slot & MASK] = key;
    return slot;
  }

  /** Frees a slot. */
  release(slot: number, none: State): void {
    this.save(slot, none);
    this.#page(slot).keys[slot & MASK] = undefined;
    this.#free.push(slot);
  }

  /** The key of a slot in use. */
  key(slot: number): string | undefined {
    return this.#page(slot).keys[slot & MASK];
  }

  /** Reads the state of a slot. */
  load(slot: number, state: State): void {
    const page = this.#page(slot);
    const index = slot & MASK;
    const { cells } = page;
    const cell = index * WIDTH;
    state.used = cells[cell + USED] as number;
    state.since = cells[cell + SINCE] as number;
    state.previous = cells[cell + PREVIOUS] as number;
    state.unsettled = cells[cell + UNSETTLED] as number;
    state.blockedUntil = cells[cell + BLOCKED_UNTIL] as number;
    state.plan = page.plans[index];
    state.log = page.logs?.[index];
    state.leases = page.leases?.[index];
    state.others = page.others?.[index];
  }

  /** Writes the state of a slot. */
  save(slot: number, state: State): void {
    const page = this.#page(slot);
    const index = slot & MASK;
    const { cells } = page;
    const cell = index * WIDTH;
    cells[cell + USED] = state.used;
    cells[cell + SINCE] = state.since;
    cells[cell + PREVIOUS] = state.previous;
    cells[cell + UNSETTLED] = state.unsettled;
    cells[cell + BLOCKED_UNTIL] = state.blockedUntil;
    if (page.plans[index] !== state.plan) page.plans[index] = state.plan;
    page.logs = few(page.logs, index, state.log);
    page.leases = few(page.leases, index, state.leases);
    page.others = few(page.others, index, state.others);
  }

  #page(slot: number): Page {
    return this.#pages[slot >> SHIFT] as Page;
  }
}

/** Sets what few states have. */
function few<T>(all: Few<T>, index: number, one: T | undefined): Few<T> {
  if (all === undefined && one === undefined) return undefined;
  const some = all ?? new Array<T | undefined>(LENGTH).fill(undefined);
  some[index] = one;
  return some;
}
