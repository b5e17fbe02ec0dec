/** Gives units back, for example tokens that were estimated and not used. */
import type { Decision, Store, Value } from "spillway/core";
import { chain, decisionOf, type MaybePromise, MOST_UNITS, together } from "spillway/support";
import { shownValue } from "../budgets/values.ts";
import type { Target, TargetBudget } from "../targets/target.ts";
import type { TakeVerb } from "./take.ts";

/** Gives units back to all budgets of some targets, never more than are missing there. */
export function refund(
  targets: readonly Target[],
  { store, verb }: { readonly store: Store; readonly verb: TakeVerb },
): MaybePromise<readonly (readonly Decision[])[]> {
  return together(targets, ({ budgets, count }) =>
    together(budgets, (budget) =>
      chain(givenBack(store, budget, verb === "check" ? 0 : count), (value) =>
        givenDecision(value, budget),
      ),
    ),
  );
}

/** Units in flight are released with their lease, so there is nothing to give back. */
function givenBack(
  store: Store,
  { plan, key, settings }: TargetBudget,
  count: number,
): MaybePromise<Value> {
  const budgets = [{ plan, key, settings }] as const;
  if (count === 0 || plan.family.name === "leases") {
    return store.execute({ verb: "value", budgets });
  }
  const settlement = { reserved: Math.min(count, MOST_UNITS), used: 0 };
  return store.execute({ verb: "settle", budgets, settlement });
}

function givenDecision(value: Value, budget: TargetBudget): Decision {
  const { limit, capacity, remaining, resetAfter } = shownValue(value, budget);
  return decisionOf({ limit, capacity }, { remaining, resetAfter });
}
