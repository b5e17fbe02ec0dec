import { Steps } from "../algorithms/index.ts";
import type { Ask, Decision, Sight } from "../core/index.ts";
import type { Call, Reply } from "./call.ts";

/** What came of one call: its answer, or why there is none. */
export type Outcome = { readonly answer: unknown } | { readonly error: Error };

/** The store's own arithmetic and ours disagree: neither may be believed. */
export class PortError extends Error {
  override readonly name = "PortError";
}

/**
 * Works out the answers to calls from the states as they were before them, as the store has done:
 * the same pure steps in the same order at the same instant.
 */
export class Replay {
  readonly #calls: readonly Call[];
  readonly #reply: Reply;
  readonly #steps: Steps;
  #index = 0;
  #charged = 0;

  constructor(calls: readonly Call[], reply: Reply) {
    this.#calls = calls;
    this.#reply = reply;
    this.#steps = new Steps((budget) => {
      const { budgets } = this.#calls[this.#index] as Call;
      return reply.state(this.#index, budgets.indexOf(budget));
    });
  }

  /** The outcomes, in order. @throws PortError where the store charged otherwise. */
  run(): readonly Outcome[] {
    const outcomes = this.#calls.map((call, index) => {
      this.#index = index;
      return this.#outcome(call);
    });
    if (this.#charged === this.#reply.charged) return outcomes;
    throw new PortError(`${this.#reply.charged} budgets charged, expected ${this.#charged}`);
  }

  #outcome(call: Call): Outcome {
    try {
      return { answer: this.#answer(call) };
    } catch (error) {
      return { error: error as Error };
    }
  }

  #answer(call: Call): unknown {
    const { operation, budgets } = call;
    const { now } = this.#reply;
    const steps = this.#steps;
    const budget = budgets[0] as Ask;
    switch (operation) {
      case "limit":
        return this.#count([steps.limit(budget, now)])[0];
      case "check":
        return steps.check(budget, now);
      case "limitAll":
        return this.#count(steps.limitAll(budgets as readonly Ask[], now));
      case "checkAll":
        return steps.checkAll(budgets as readonly Ask[], now);
      case "settle":
        return steps.settle(budget, call.settlement as NonNullable<Call["settlement"]>, now);
      case "value":
        return steps.value(budget, now);
      case "look":
        return budgets.map((each) => kept(steps.look(each, now)));
      case "reset":
        return steps.reset(budget, now);
      case "block":
        return steps.block(budget, call.ms, now);
      case "unblock":
        return steps.unblock(budget, now);
    }
  }

  #count(decisions: readonly Decision[]): readonly Decision[] {
    if (decisions.every(({ ok }) => ok)) this.#charged += decisions.length;
    return decisions;
  }
}

/** A state of its own, for one who looks at it later. */
function kept({ state, now }: Sight): Sight {
  return { state: state.copy(), now };
}
