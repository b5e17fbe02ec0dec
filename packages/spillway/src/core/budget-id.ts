import type { Budget } from "./store.ts";
import { utf16Hex } from "./utf16.ts";

/** A text that no two budgets share, whatever their limits and keys are called. */
export function budgetId({ plan, key }: Budget): string {
  return `${plan.limit.length}:${plan.limit}${key === undefined ? "" : `=${key}`}`;
}

/**
 * The same, as a database's text can hold it: `11:createOrder=tenant 7`, a length, the limit's name and
 * the key. What UTF-8 or a database has no text for, half a surrogate pair or a NUL, is written as its
 * UTF-16 units in hexadecimal after a "~", with which no other begins. Pure.
 */
export function plainBudgetId(budget: Budget): string {
  const id = budgetId(budget);
  return id.includes("\0") || !id.isWellFormed() ? `~${utf16Hex(id)}` : id;
}
