import type { Budget } from "./store.ts";

/**
 * Returns a text that identifies a budget: no two budgets share one, whatever their limits and keys
 * are called.
 */
export function budgetId({ plan, key }: Budget): string {
  return `${plan.limit.length}:${plan.limit}${key === undefined ? "" : `=${key}`}`;
}
