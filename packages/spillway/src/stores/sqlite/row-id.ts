import { type Budget, budgetId, utf16Hex } from "../../core/index.ts";

/**
 * A text that tells a budget's row from all others: `6:search=user 7` for key `user 7` of a limit
 * `search`, the name's length before it.
 *
 * Text that SQLite or a driver would not keep as it is, with half a surrogate pair or a NUL, is
 * written in hexadecimal behind a `~`, with which no other begins. Pure.
 */
export function rowId(budget: Budget): string {
  const id = budgetId(budget);
  return id.isWellFormed() && !id.includes("\0") ? id : `~${utf16Hex(id)}`;
}
