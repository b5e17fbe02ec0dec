import { agree } from "../../limits/algorithms/index.ts";
import { type Budget, budgetId, type Plan } from "../../limits/core/index.ts";

/** The definitions under which the budgets of a request are asked. */
export class BudgetPlans {
  /** The only plan of each limit; undefined if there are several, as for shards. */
  readonly #plans = new Map<string, Plan | undefined>();
  readonly #budgets: Budget[] = [];
  /**
   * The plan of each budget. Created when a limit has several plans, which most requests don't
   * need.
   */
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

  /** Whether one of the budgets is already in the request under another definition. */
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
