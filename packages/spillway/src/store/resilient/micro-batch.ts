import { agree } from "../../algorithms/index.ts";
import { type Budget, budgetId, type Command, type Plan } from "../../core/index.ts";

/** What waits for the answer to a command. */
export type Waiting = { readonly command: Command };

/**
 * Commands that share a request, in order: it names at most so many budgets, and no budget under two
 * definitions, as it would while a limit changes. A command is never divided.
 */
export class MicroBatch<W extends Waiting> {
  readonly slot: number;
  readonly all: W[];
  /** How many budgets it names. */
  budgets: number;
  /** Made for the second command: most requests of single commands need none. */
  #definitions: Definitions | undefined;

  constructor(slot: number, first: W) {
    this.slot = slot;
    this.all = [first];
    this.budgets = first.command.budgets.length;
  }

  /** Takes one more, if it fits; returns whether it did. */
  add(one: W, most: number): boolean {
    const { budgets } = one.command;
    if (this.budgets + budgets.length > most) return false;
    this.#definitions ??= new Definitions((this.all[0] as W).command.budgets);
    if (this.#definitions.contradict(budgets)) return false;
    this.#definitions.add(budgets);
    this.all.push(one);
    this.budgets += budgets.length;
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
