import type { Plan, State } from "../../core/index.ts";

const SHIFT = 10;
const LENGTH = 1 << SHIFT;
const MASK = LENGTH - 1;

/** Numbers of a state that most states have: used, since, previous, unsettled. */
const WIDTH = 4;

/** What few states have. */
type Rest = Pick<State, "blockedUntil" | "log" | "leases" | "others">;

const NO_REST: Rest = { blockedUntil: 0, log: undefined, leases: undefined, others: undefined };

/** The states of 1024 slots, without an object each: 40 bytes for a state that has no rest. */
class Page {
  readonly cells = new Float64Array(LENGTH * WIDTH);
  readonly plans: (Plan | undefined)[] = new Array(LENGTH).fill(undefined);
  readonly keys: (string | undefined)[] = new Array(LENGTH).fill(undefined);
  readonly rests: (Rest | undefined)[] = [];
}

/** Numbered slots, each with a state and its key, in pages of 1024, so that growing copies nothing. */
export class Pages {
  readonly #pages: Page[] = [];
  readonly #free: number[] = [];
  #length = 0;
  /** Whether any state has ever had a rest. */
  #hasRests = false;

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
    const { cells, plans, rests } = this.#pages[slot >> SHIFT] as Page;
    const index = slot & MASK;
    const cell = index * WIDTH;
    state.used = cells[cell] as number;
    state.since = cells[cell + 1] as number;
    state.previous = cells[cell + 2] as number;
    state.unsettled = cells[cell + 3] as number;
    state.plan = plans[index];
    if (this.#hasRests) loadRest(rests[index], state);
  }

  /** Writes the state of a slot. */
  save(slot: number, state: State): void {
    const { cells, plans, rests } = this.#pages[slot >> SHIFT] as Page;
    const index = slot & MASK;
    const cell = index * WIDTH;
    cells[cell] = state.used;
    cells[cell + 1] = state.since;
    cells[cell + 2] = state.previous;
    cells[cell + 3] = state.unsettled;
    if (plans[index] !== state.plan) plans[index] = state.plan;
    const hasRest = state.blockedUntil !== 0 || (state.log ?? state.leases ?? state.others);
    if (hasRest) rests[index] = this.#restOf(state);
    else if (this.#hasRests) rests[index] = undefined;
  }

  #restOf({ blockedUntil, log, leases, others }: State): Rest {
    this.#hasRests = true;
    return { blockedUntil, log, leases, others };
  }

  #page(slot: number): Page {
    return this.#pages[slot >> SHIFT] as Page;
  }
}

function loadRest(rest: Rest | undefined, state: State): void {
  const { blockedUntil, log, leases, others } = rest ?? NO_REST;
  state.blockedUntil = blockedUntil;
  state.log = log;
  state.leases = leases;
  state.others = others;
}
