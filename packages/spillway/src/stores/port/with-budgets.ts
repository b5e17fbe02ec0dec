import type { Budget, Command } from "../../limits/core/index.ts";

/** Returns the same command on other budgets, each converted by `change`. */
export function withBudgets<C extends Command>(
  command: C,
  change: <B extends Budget>(budget: B) => B,
): C {
  return { ...command, budgets: command.budgets.map(change) };
}
