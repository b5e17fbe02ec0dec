import { agree } from "../../limits/algorithms/index.ts";
import { type Budget, budgetId, type Plan } from "../../limits/core/index.ts";

/** Under which definitions the budgets of a request are asked. */
export class Definitions {
  /** The only plan of each limit; undefined where there are several, as there are for shards. */
  readonly #plans = new Map<string, Plan | undefined>();
  readonly #budgets: Budget[] = [];
  /** The plan of each budget; made when a limit has several, for most requests need none. */
  #byBudget: Map<string, Plan> | undefined;

  constructor(first: readonly Budget[]) {
    this.add(first);
  }

  add(budgets: readonly Budget[]): void {
    for (const budget of budgets) {
      const { plan } = budget;
      const { limit } = plan;
      if (!this.#plans.has(limit)) this.#plans.set(limit, plan);
      else if (this.#plans.get(limit) !== plan) this.#plans.set(limit, undefined);
      this.#budgets.push(budget);
      this.#byBudget?.set(budgetId(budget), plan);
    }
  }

  /** Whether a budget is asked under another definition. */
  contradict(budgets: readonly Budget[]): boolean {
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
