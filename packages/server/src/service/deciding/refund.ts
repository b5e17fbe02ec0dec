/** Gives units back, as for tokens that were estimated and not used. */
import { type Decision, MOST_UNITS, type Store, type Value } from "spillway/core";
import { type Awaitable, after, all } from "../awaitable.ts";
import { shownValue } from "../budgets/values.ts";
import type { Target, TargetBudget } from "../targets/target.ts";
import type { Taking } from "./take.ts";

/** Gives back to all budgets of some targets: never more than was taken and is still missing. */
export function refund(
  targets: readonly Target[],
  { store, verb }: { readonly store: Store; readonly verb: Taking },
): Awaitable<readonly (readonly Decision[])[]> {
  return all(
    targets.map(({ budgets, count }) =>
      all(
        budgets.map((budget) =>
          after(givenBack(store, budget, verb === "check" ? 0 : count), (value) =>
            decisionOf(value, budget),
          ),
        ),
      ),
    ),
  );
}

/** What is in flight comes back when its lease does, so there is nothing to give. */
function givenBack(
  store: Store,
  { plan, key, settings }: TargetBudget,
  count: number,
): Awaitable<Value> {
  const budgets = [{ plan, key, settings }] as const;
  if (count === 0 || plan.family.name === "leases") {
    return store.execute({ verb: "value", budgets });
  }
  const settlement = { reserved: Math.min(count, MOST_UNITS), used: 0 };
  return store.execute({ verb: "settle", budgets, settlement });
}

function decisionOf(value: Value, budget: TargetBudget): Decision {
  const { limit, capacity, remaining, resetAfter } = shownValue(value, budget);
  return {
    ok: true,
    limit,
    capacity,
    remaining,
    retryAfter: 0,
    resetAfter,
    reason: undefined,
    degraded: undefined,
  };
}
