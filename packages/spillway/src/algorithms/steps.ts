import type {
  Ask,
  Budget,
  Decision,
  LeaseRef,
  Settlement,
  Sight,
  State,
  Value,
} from "../core/index.ts";
import { block, charge, decide, notCharged, release, renew, settle, valueAt } from "./decide.ts";
import { reconcile, reset } from "./lifecycle.ts";

/** Finds a budget's state, a fresh one if it has none. */
export type Find = (budget: Budget) => State;

/**
 * All that a store does, at one instant, on states that are found for it.
 *
 * A store that holds its states in this process while it answers needs only these; it has to see to
 * it that the steps of a call are indivisible, and to keep what they have written.
 */
export class Steps {
  readonly #find: Find;

  /** @param find Finds states; what it finds is reconciled (see `reconcile`) before it is asked. */
  constructor(find: Find) {
    this.#find = find;
  }

  /** Takes from one budget. */
  limit(ask: Ask, now: number): Decision {
    const state = this.#state(ask, now);
    const decision = decide(state, ask.plan, ask, now);
    if (decision.ok) charge(state, ask.plan, ask, now);
    return decision;
  }

  /** Answers what `limit` would. */
  check(ask: Ask, now: number): Decision {
    return decide(this.#state(ask, now), ask.plan, ask, now);
  }

  /** Takes from several budgets, or from none. */
  limitAll(asks: readonly Ask[], now: number): readonly Decision[] {
    const answers = this.checkAll(asks, now);
    if (!answers.every(({ ok }) => ok)) return answers;
    for (const ask of asks) charge(this.#state(ask, now), ask.plan, ask, now);
    return answers;
  }

  /** Answers what `limitAll` would. */
  checkAll(asks: readonly Ask[], now: number): readonly Decision[] {
    const answers = asks.map((ask) => this.check(ask, now));
    if (answers.every(({ ok }) => ok)) return answers;
    return answers.map((answer, index) =>
      answer.ok ? notCharged(answer, this.value(asks[index] as Ask, now)) : answer,
    );
  }

  /** Replaces an estimate by the true number. */
  settle(budget: Budget, settlement: Settlement, now: number): Value {
    settle(this.#state(budget, now), budget.plan, settlement, now);
    return this.value(budget, now);
  }

  /** Gives back what a lease holds. */
  release(budget: Budget, held: LeaseRef, now: number): boolean {
    return release(this.#state(budget, now), held, now);
  }

  /** Lets a lease last for its whole time from now. */
  renew(budget: Budget, held: LeaseRef, now: number): boolean {
    return renew(this.#state(budget, now), budget.plan, held, now);
  }

  /** Tells what is left. */
  value(budget: Budget, now: number): Value {
    return valueAt(this.#state(budget, now), budget.plan, now);
  }

  /** Shows a state. */
  look(budget: Budget, now: number): Sight {
    return { state: this.#state(budget, now), now };
  }

  /** Forgets what was used, and a block that is over. */
  reset(budget: Budget, now: number): void {
    const state = this.#state(budget, now);
    if (state.blockedUntil <= now) state.blockedUntil = 0;
    reset(state, budget.plan, budget.key, now);
  }

  /** Refuses everything for `ms`. */
  block(budget: Budget, ms: number, now: number): void {
    block(this.#state(budget, now), budget.plan, ms, now);
  }

  /** Ends a block. */
  unblock(budget: Budget, now: number): void {
    this.#state(budget, now).blockedUntil = 0;
  }

  #state(budget: Budget, now: number): State {
    const state = this.#find(budget);
    reconcile(state, budget.plan, budget.key, now);
    return state;
  }
}
