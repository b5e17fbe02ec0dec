import { type Budget, budgetId } from "../limits/core/index.ts";
import { utf16Hex } from "./utf16.ts";

/**
 * Returns a budget's id as text that every database can store, for example
 * `11:createOrder=tenant 7`. Pure.
 *
 * The id is a length, the limit's name, and the key (see `budgetId`). UTF-8 or a database can't
 * store half a surrogate pair or a NUL. An id with one of these becomes "~" and its UTF-16 units in
 * hexadecimal. No other id begins with "~".
 */
export function plainBudgetId(budget: Budget): string {
  const id = budgetId(budget);
  return id.includes("\0") || !id.isWellFormed() ? `~${utf16Hex(id)}` : id;
}
