import { limitOf, planFor } from "../limits/algorithms/index.ts";
import {
  type Command,
  type Limit,
  type Plan,
  RATE_KINDS,
  type RateKind,
  type Store,
  type Timing,
} from "../limits/core/index.ts";

/** The longest time for which units may be held, in milliseconds. */
const SHARE = 10_000;
/** The shortest period that gets a share, in milliseconds. */
const SHORTEST = 100;

/**
 * Wraps a store so that each limit has a `share`, if its kind can be lent. Its answers must stay
 * the same.
 */
export function withShares<M extends Timing>(store: Store<M>): Store<M> {
  const plans = new WeakMap<Plan, Plan>();
  const planOf = (plan: Plan): Plan => {
    const known = plans.get(plan) ?? lentPlan(plan);
    plans.set(plan, known);
    return known;
  };
  const lent = (command: Command) =>
    ({
      ...command,
      budgets: command.budgets.map((budget) => ({ ...budget, plan: planOf(budget.plan) })),
    }) as unknown as Command;
  return {
    timing: store.timing,
    execute: (command) => store.execute(lent(command) as typeof command),
  };
}

function lentPlan(plan: Plan): Plan {
  const kind = RATE_KINDS[plan.kind as RateKind];
  if (!kind?.lentNumber || plan.period < SHORTEST) return plan;
  const share = Math.min(SHARE, plan.period);
  return planFor(plan.limit, { ...limitOf(plan), share } as Limit);
}
