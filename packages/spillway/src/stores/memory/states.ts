import { begin } from "../../limits/algorithms/index.ts";
import {
  type Ask,
  type Budget,
  type Decision,
  refused,
  State,
  type Value,
} from "../../limits/core/index.ts";
import type { KeyTable } from "./key-table.ts";

/** The steps on one state that a store of several definitions has of its own. */
type StateSteps = {
  reconcile(state: State, budget: Budget, now: number): void;
  value(state: State, budget: Budget, now: number): Value;
};

/**
 * The states of single budgets: loads them ready for a step, changes them, and saves them in their
 * slots.
 */
export class States {
  readonly #keys: KeyTable;
  readonly #steps: StateSteps;
  /** The state of the current call: loaded from a slot, or new. */
  readonly #state = new State();
  #turnedAway = 0;

  constructor(keys: KeyTable, steps: StateSteps) {
    this.#keys = keys;
    this.#steps = steps;
  }

  /** The number of requests refused because their key might be one that was evicted. */
  get turnedAway(): number {
    return this.#turnedAway;
  }

  /** Returns the state of a budget, or a fresh one that is not kept. Valid until the next call. */
  find(budget: Budget, now: number): State {
    const slot = this.#keys.find(budget);
    if (slot !== undefined) return this.#read(slot, budget, now);
    this.#state.clear();
    begin(this.#state, budget, now);
    return this.#state;
  }

  value(budget: Budget, now: number): Value {
    const value = this.#steps.value(this.find(budget, now), budget, now);
    const ms = this.refusedFor(budget, now);
    return ms === 0 ? value : { ...value, remaining: 0, resetAfter: ms };
  }

  /**
   * Returns how long the guard refuses a budget, in milliseconds; 0 if it has a slot or is not
   * refused.
   */
  refusedFor(budget: Budget, now: number): number {
    const ms = this.#keys.refusedFor(budget, now);
    return ms > 0 && this.#keys.find(budget) === undefined ? ms : 0;
  }

  /**
   * Whether a refusal of a budget without a slot may count towards a penalty. It does not if the
   * guard refuses the budget, because a slot would end that.
   */
  countsRefusal(ask: Ask, now: number): boolean {
    return ask.settings?.penalty !== undefined && this.#keys.refusedFor(ask, now) === 0;
  }

  /** Returns the decision on a key without a slot, or a refusal if the guard refuses that key. */
  guarded(decision: Decision, ask: Ask, now: number): Decision {
    const ms = this.#keys.refusedFor(ask, now);
    if (ms === 0) return decision;
    this.#turnedAway++;
    const why = { remaining: 0, retryAfter: ms, resetAfter: ms, reason: "limited" } as const;
    return refused(decision, why);
  }

  /**
   * Changes the state of a budget that has a slot. Returns undefined, and changes nothing, if it
   * has none.
   */
  changeKnown<T>(budget: Budget, now: number, step: (state: State) => T): T | undefined {
    const slot = this.#keys.find(budget);
    if (slot === undefined) return undefined;
    const state = this.#read(slot, budget, now);
    const answer = step(state);
    // A state with nothing left in use starts again at `now`, if the clock is behind it.
    if (state.since > now) this.#steps.reconcile(state, budget, now);
    this.#keys.save(slot, budget.plan, state);
    return answer;
  }

  /**
   * Changes the state of a budget, which gets a slot if it has none. If the guard refused the
   * budget, the slot gets a block, so that the budget stays refused.
   */
  change(budget: Budget, now: number, step: (state: State) => void): void {
    if (this.#keys.find(budget) !== undefined) {
      this.changeKnown(budget, now, step);
      return;
    }
    const ms = this.refusedFor(budget, now);
    const state = this.find(budget, now);
    if (ms > 0) state.blockedUntil = now + ms;
    step(state);
    this.#keys.add(budget, state, now);
  }

  /**
   * Loads the state in a slot, ready for a step. Saves it if the limit changed or the clock stepped
   * back.
   */
  #read(slot: number, budget: Budget, now: number): State {
    const state = this.#state;
    this.#keys.load(slot, budget.plan, state);
    if (state.plan !== budget.plan || state.since > now) {
      this.#steps.reconcile(state, budget, now);
      this.#keys.save(slot, budget.plan, state);
    }
    return state;
  }
}
