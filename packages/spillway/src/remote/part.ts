import { agree } from "../algorithms/index.ts";
import { type Budget, budgetId, type Plan } from "../core/index.ts";
import type { Call } from "./call.ts";

/** What carries a call. */
export type Carrier = { readonly call: Call };

/**
 * Calls that share a request, in order: it names at most so many budgets, and no budget under two
 * definitions, as it would while a limit changes. A call is never divided.
 */
export class Part<C extends Carrier> {
  readonly place: number;
  readonly carriers: C[];
  /** How many budgets it names. */
  budgets: number;
  /** Made for the second call: most requests of single calls need none. */
  #definitions: Definitions | undefined;

  constructor(place: number, first: C) {
    this.place = place;
    this.carriers = [first];
    this.budgets = first.call.budgets.length;
  }

  /** Takes one more call, if it fits; returns whether it did. */
  add(carrier: C, most: number): boolean {
    const { call } = carrier;
    if (this.budgets + call.budgets.length > most) return false;
    this.#definitions ??= new Definitions((this.carriers[0] as C).call);
    if (this.#definitions.contradict(call)) return false;
    this.#definitions.add(call);
    this.carriers.push(carrier);
    this.budgets += call.budgets.length;
    return true;
  }
}

/** Under which definitions the budgets of a request are asked. */
class Definitions {
  /** The only plan of each limit; undefined where there are several, as there are for shards. */
  readonly #plans = new Map<string, Plan | undefined>();
  readonly #budgets: Budget[] = [];
  /** The plan of each budget; made when a limit has several, for most requests need none. */
  #byBudget: Map<string, Plan> | undefined;

  constructor(first: Call) {
    this.add(first);
  }

  add({ budgets }: Call): void {
    for (const budget of budgets) {
      const { plan } = budget;
      const { limit } = plan;
      if (!this.#plans.has(limit)) this.#plans.set(limit, plan);
      else if (this.#plans.get(limit) !== plan) this.#plans.set(limit, undefined);
      this.#budgets.push(budget);
      this.#byBudget?.set(budgetId(budget), plan);
    }
  }

  /** Whether a call asks a budget under another definition. */
  contradict({ budgets }: Call): boolean {
    return budgets.some((budget) => {
      const { plan } = budget;
      if (!this.#plans.has(plan.limit) || this.#plans.get(plan.limit) === plan) return false;
      const known = this.#planOf(budget);
      return known !== undefined && known !== plan && !agree(known, plan);
    });
  }

  #planOf(budget: Budget): Plan | undefined {
    this.#byBudget ??= new Map(this.#budgets.map((one) => [budgetId(one), one.plan]));
    return this.#byBudget.get(budgetId(budget));
  }
}
