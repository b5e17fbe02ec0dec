import { type Budget, budgetId, utf16Hex } from "../../core/index.ts";

/**
 * What a budget's row is called: `11:createOrder=tenant 7`, a length, the limit's name and the key, so
 * that no two budgets share one. What Postgres has no text for, a NUL or half a surrogate pair, is
 * written as its UTF-16 units in hexadecimal after a "~".
 */
export function idOf(budget: Budget): string {
  const id = budgetId(budget);
  return id.includes("\0") || !id.isWellFormed() ? `~${utf16Hex(id)}` : id;
}
