import { Steps } from "../algorithms/index.ts";
import {
  type Ask,
  type Budget,
  type Decision,
  type LeaseRef,
  MOST_UNITS,
  type Sight,
} from "../core/index.ts";
import type { Call, Operation, Reply } from "./call.ts";
import { PortError } from "./port-error.ts";

/** What came of one call: its answer, or why there is none. */
export type Outcome = { readonly answer: unknown } | { readonly error: Error };

/** What stood in the way of an ask: a budget, the state it was in, and how many units were asked. */
export type Refused = { readonly budget: Budget; readonly sight: Sight; readonly count: number };

/** Is told what came of calls, in order. */
export type Witness = {
  /** A call was refused, or looked only: what stood where it looked. */
  refused(all: readonly Refused[]): void;
  /** Units were taken from a budget. */
  taken(budget: Budget): void;
  /** A budget was changed other than by an ask: what was known of it is no longer true. */
  changed(budget: Budget): void;
};

/** What changes a budget other than by an ask. */
const CHANGES: ReadonlySet<Operation> = new Set(["settle", "reset", "block", "unblock"]);

/**
 * Works out the answers to calls from the states as they were before them, as the store has done:
 * the same pure steps in the same order at the same instant.
 */
export class Replay {
  readonly #calls: readonly Call[];
  readonly #reply: Reply;
  readonly #steps: Steps;
  readonly #witness: Witness | undefined;
  #index = 0;
  #charged = 0;

  constructor(calls: readonly Call[], reply: Reply, witness?: Witness) {
    this.#witness = witness;
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
    if (CHANGES.has(operation)) this.#witness?.changed(budgets[0] as Budget);
    const { now } = this.#reply;
    const steps = this.#steps;
    const budget = budgets[0] as Ask;
    switch (operation) {
      case "limit":
        return this.#taken(call, [steps.limit(budget, now)])[0];
      case "check":
        return this.#told(call, [steps.check(budget, now)])[0];
      case "limitAll":
        return this.#taken(call, steps.limitAll(budgets as readonly Ask[], now));
      case "checkAll":
        return this.#told(call, steps.checkAll(budgets as readonly Ask[], now));
      case "settle":
        return steps.settle(budget, call.settlement as NonNullable<Call["settlement"]>, now);
      case "release":
        return steps.release(budget, call.held as LeaseRef, now);
      case "renew":
        return steps.renew(budget, call.held as LeaseRef, now);
      case "value":
        return steps.value(budget, now);
      case "look":
        return this.#look(call);
      case "reset":
        return steps.reset(budget, now);
      case "block":
        return steps.block(budget, call.ms, now);
      case "unblock":
        return steps.unblock(budget, now);
    }
  }

  #taken(call: Call, decisions: readonly Decision[]): readonly Decision[] {
    if (!decisions.every(({ ok }) => ok)) return this.#told(call, decisions);
    this.#charged += decisions.length;
    if (this.#witness !== undefined) for (const one of call.budgets) this.#witness.taken(one);
    return decisions;
  }

  #told(call: Call, decisions: readonly Decision[]): readonly Decision[] {
    if (this.#witness !== undefined && !decisions.every(({ ok }) => ok)) this.#look(call);
    return decisions;
  }

  #look({ budgets }: Call): readonly Sight[] {
    const sights = budgets.map((budget) => kept(this.#steps.look(budget, this.#reply.now)));
    // What is in flight can end at any time, anywhere: a refusal for it does not stand.
    this.#witness?.refused(
      budgets
        .map((budget, index) => ({
          budget,
          sight: sights[index] as Sight,
          count: (budget as Partial<Ask>).count ?? MOST_UNITS,
        }))
        .filter(({ budget: { plan } }) => plan.kind !== "concurrency"),
    );
    return sights;
  }
}

/** A state of its own, for one who looks at it later. */
function kept({ state, now }: Sight): Sight {
  return { state: state.copy(), now };
}
