import { agree } from "../algorithms/index.ts";
import { type Budget, budgetId, type Plan } from "../core/index.ts";
import type { Call } from "./call.ts";

/** What carries a call. */
type Carrier = { readonly call: Call };

/**
 * Divides calls into requests, in order: each names at most `most` budgets, and no budget under two
 * definitions, as it would while a limit changes. A call is never divided.
 */
export function parts<C extends Carrier>(
  carriers: readonly C[],
  most: number,
): readonly (readonly C[])[] {
  if (carriers.length <= 1) return carriers.length === 0 ? [] : [carriers];
  const all: C[][] = [];
  let part: C[] = [];
  let budgets = 0;
  let definitions = new Definitions();
  for (const carrier of carriers) {
    const more = carrier.call.budgets.length;
    if (part.length > 0 && (budgets + more > most || definitions.contradict(carrier.call))) {
      all.push(part);
      [part, budgets, definitions] = [[], 0, new Definitions()];
    }
    definitions.add(carrier.call);
    part.push(carrier);
    budgets += more;
  }
  all.push(part);
  return all;
}

/** Under which definitions the budgets of a request are asked. */
class Definitions {
  /** The only plan of each limit; undefined where there are several, as there are for shards. */
  readonly #plans = new Map<string, Plan | undefined>();
  readonly #budgets: Budget[] = [];
  /** The plan of each budget; made when a limit has several, for most requests need none. */
  #byBudget: Map<string, Plan> | undefined;

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
