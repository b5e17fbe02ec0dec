import type { Budget } from "./store.ts";

/**
 * Returns a text that identifies a budget: no two budgets share one, for any names of limits and
 * keys.
 */
export function budgetId({ plan, key }: Budget): string {
  return `${plan.limit.length}:${plan.limit}${key === undefined ? "" : `=${key}`}`;
}
