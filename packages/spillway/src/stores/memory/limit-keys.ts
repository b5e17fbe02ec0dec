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
 * The plan and the rare fields of a slot are not read as long as all states have one plan and none
 * has rare fields. With a million keys, each of these reads would be a cache miss.
 */
export class LimitKeys {
  readonly slots = new Map<string | undefined, number>();
  readonly #pages: Pages;
  /** The plan of all states; undefined once states of several plans were saved. */
  #plan: Plan | undefined;
  /** Whether any state of this limit has ever had rare fields. */
  #hasRests = false;

  constructor(pages: Pages, plan: Plan) {
    this.#pages = pages;
    this.#plan = plan;
  }

  /** Loads the state in a slot. */
  load(slot: number, state: State): void {
    const cells = this.#pages.cells[slot >> SHIFT] as Float64Array;
    const cell = (slot & MASK) * WIDTH;
    state.used = cells[cell] as number;
    state.since = cells[cell + 1] as number;
    state.previous = cells[cell + 2] as number;
    state.unsettled = cells[cell + 3] as number;
    // `state` usually holds another key's state of this limit, and so already has this plan.
    const isPlain = this.#plan !== undefined && !this.#hasRests;
    if (!isPlain || state.plan !== this.#plan || hasRest(state)) this.#loadRest(slot, state);
  }

  /** Saves a state in a slot. */
  save(slot: number, state: State): void {
    const cells = this.#pages.cells[slot >> SHIFT] as Float64Array;
    const cell = (slot & MASK) * WIDTH;
    cells[cell] = state.used;
    cells[cell + 1] = state.since;
    cells[cell + 2] = state.previous;
    cells[cell + 3] = state.unsettled;
    if (state.plan !== this.#plan) this.#savePlan(slot, state.plan);
    if (this.#hasRests || hasRest(state)) this.#saveRest(slot, state);
  }

  #loadRest(slot: number, state: State): void {
    const page = slot >> SHIFT;
    const index = slot & MASK;
    const rest = this.#hasRests ? this.#pages.rests[page]?.[index] : undefined;
    const { blockedUntil, overriddenUntil, penalty, log, leases, others } = rest ?? NO_REST;
    state.plan = this.#plan ?? this.#pages.plans[page]?.[index];
    state.blockedUntil = blockedUntil;
    state.overriddenUntil = overriddenUntil;
    state.penalty = penalty;
    state.log = log;
    state.leases = leases;
    state.others = others;
  }

  #savePlan(slot: number, plan: Plan | undefined): void {
    this.#plan = undefined;
    (this.#pages.plans[slot >> SHIFT] as (Plan | undefined)[])[slot & MASK] = plan;
  }

  #saveRest(slot: number, state: State): void {
    this.#hasRests = true;
    const rests = this.#pages.rests[slot >> SHIFT] as (RareFields | undefined)[];
    const rest = rests[slot & MASK];
    if (rest !== undefined && hasRest(state)) overwrite(rest, state);
    else rests[slot & MASK] = hasRest(state) ? restOf(state) : undefined;
  }
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
