/** Finds the changes that made a budget what it is. All functions are pure. */
import type { Value } from "spillway";
import type { AuditEntry } from "./audit.ts";
import { isOnAny } from "./changes/budgets.ts";
import type { ChangeName } from "./changes/index.ts";
import type { OverrideReport } from "./contracts.ts";

/** Returns the latest accepted change of a budget, of one kind if `what` names it. */
export function latestOn(
  entries: readonly AuditEntry[],
  { budget, what }: { readonly budget: string; readonly what?: ChangeName },
): AuditEntry | undefined {
  return entries.findLast((entry) => {
    const isKind = what === undefined || entry.what === what;
    return isKind && entry.outcome === "accepted" && isOnAny(entry, [budget]);
  });
}

type BudgetValue = { readonly budget: string; readonly value: Value | undefined };

/** Returns the override in force, and who made it; undefined if there is none. */
export function overrideIn(
  entries: readonly AuditEntry[],
  { budget, value }: BudgetValue,
): OverrideReport | undefined {
  if (value?.overriddenFor === undefined) return undefined;
  const { overriddenFor, capacity } = value;
  return { for: overriddenFor, capacity, by: latestOn(entries, { budget, what: "override" }) };
}
