import type { Plan, State } from "../../limits/core/index.ts";
import { MASK, type Pages, type RareFields, SHIFT, WIDTH } from "./pages.ts";

const NO_REST: RareFields = {
  blockedUntil: 0,
  overriddenUntil: 0,
  penalty: undefined,
  log: undefined,
  leases: undefined,
  others: undefined,
};

/**
 * The keys of one limit: the slot of each, and access to the state there.
 *
 * The plan and the rare fields of a slot are read only if the slot is marked. With a million keys,
 * each of these reads would be a cache miss. The mark is the sign of `unsettled`, which is read in
 * any case.
 */
export class LimitKeys {
  readonly slots = new Map<string | undefined, number>();
  readonly #pages: Pages;
  /** The plan of all states in slots without a mark. */
  readonly #plan: Plan;

  constructor(pages: Pages, plan: Plan) {
    this.#pages = pages;
    this.#plan = plan;
  }

  /** Loads the state in a slot. */
  load(slot: number, state: State): void {
    const cells = this.#pages.cells[slot >> SHIFT] as Float64Array;
    const cell = (slot & MASK) * WIDTH;
    const unsettled = cells[cell + 3] as number;
    state.used = cells[cell] as number;
    state.since = cells[cell + 1] as number;
    state.previous = cells[cell + 2] as number;
    state.unsettled = unsettled < 0 ? marked(unsettled) : unsettled;
    if (unsettled < 0) this.#loadRest(slot, state);
    // `state` usually holds another key's plain state of this limit.
    else if (state.plan !== this.#plan || hasRest(state)) assign(state, this.#plan, NO_REST);
  }

  /** Saves a state in a slot. */
  save(slot: number, state: State): void {
    const cells = this.#pages.cells[slot >> SHIFT] as Float64Array;
    const cell = (slot & MASK) * WIDTH;
    const isPlain = state.plan === this.#plan && !hasRest(state);
    if (!isPlain || (cells[cell + 3] as number) < 0) this.#saveRest(slot, state);
    cells[cell] = state.used;
    cells[cell + 1] = state.since;
    cells[cell + 2] = state.previous;
    cells[cell + 3] = isPlain ? state.unsettled : marked(state.unsettled);
  }

  #loadRest(slot: number, state: State): void {
    const page = slot >> SHIFT;
    const index = slot & MASK;
    assign(state, this.#pages.plans[page]?.[index], this.#pages.rests[page]?.[index] ?? NO_REST);
  }

  #saveRest(slot: number, state: State): void {
    const page = slot >> SHIFT;
    const index = slot & MASK;
    (this.#pages.plans[page] as (Plan | undefined)[])[index] = state.plan;
    const rests = this.#pages.rests[page] as (RareFields | undefined)[];
    const rest = rests[index];
    if (rest !== undefined && hasRest(state)) overwrite(rest, state);
    else if (rest !== undefined || hasRest(state)) {
      rests[index] = hasRest(state) ? restOf(state) : undefined;
    }
  }
}

/** Marks a number from 0 to 2⁵², or returns one that was marked. */
function marked(unsettled: number): number {
  return -1 - unsettled;
}

function assign(state: State, plan: Plan | undefined, rest: RareFields): void {
  state.plan = plan;
  state.blockedUntil = rest.blockedUntil;
  state.overriddenUntil = rest.overriddenUntil;
  state.penalty = rest.penalty;
  state.log = rest.log;
  state.leases = rest.leases;
  state.others = rest.others;
}

function restOf(state: State): RareFields {
  const { blockedUntil, overriddenUntil, penalty, log, leases, others } = state;
  return { blockedUntil, overriddenUntil, penalty, log, leases, others };
}

function overwrite(rest: RareFields, state: State): void {
  rest.blockedUntil = state.blockedUntil;
  rest.overriddenUntil = state.overriddenUntil;
  rest.penalty = state.penalty;
  rest.log = state.log;
  rest.leases = state.leases;
  rest.others = state.others;
}

function hasRest(state: State): boolean {
  const { blockedUntil, overriddenUntil, penalty, log, leases, others } = state;
  const more = log ?? leases ?? others ?? penalty;
  return blockedUntil !== 0 || overriddenUntil !== 0 || more !== undefined;
}
