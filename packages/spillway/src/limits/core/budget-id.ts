import type { Budget } from "./store.ts";

/** A text that no two budgets share, whatever their limits and keys are called. */
export function budgetId({ plan, key }: Budget): string {
  return `${plan.limit.length}:${plan.limit}${key === undefined ? "" : `=${key}`}`;
}
