import { type Budget, budgetId } from "../limits/core/index.ts";
import { utf16Hex } from "./utf16.ts";

/**
 * What `budgetId` returns, as a database's text can hold it: `11:createOrder=tenant 7`, a length, the
 * limit's name and the key. What UTF-8 or a database has no text for, half a surrogate pair or a NUL, is
 * written as its UTF-16 units in hexadecimal after a "~", with which no other begins. Pure.
 */
export function plainBudgetId(budget: Budget): string {
  const id = budgetId(budget);
  return id.includes("\0") || !id.isWellFormed() ? `~${utf16Hex(id)}` : id;
}
