import type { Budget, Command } from "../../limits/core/index.ts";

/** The same command on other budgets: `change` makes one of each. */
export function withBudgets<C extends Command>(
  command: C,
  change: <B extends Budget>(budget: B) => B,
): C {
  return { ...command, budgets: command.budgets.map(change) };
}
