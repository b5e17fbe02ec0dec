/** Formats budgets for people. All functions are pure. */
import type { BudgetsAnswer, ChangeAnswer, ShownValue } from "./answers.ts";
import { columns, shownTime } from "./columns.ts";

/** Shows budgets, and the latest change of each. */
export function showBudgets({ version, budgets }: BudgetsAnswer): readonly string[] {
  const rows = budgets.map(({ budget, mode, key, value }) => [budget, ...cells(value), mode, key]);
  const changes = budgets.flatMap(({ budget, changed }) => {
    if (changed === undefined) return [];
    const { version, what, by, at, reason } = changed;
    const why = reason === undefined ? "" : `: ${reason}`;
    return [`${budget}: ${what} at ${at} by ${by}, version ${version}${why}`];
  });
  const table = columns([["budget", ...VALUE_HEADING, "mode", "key"], ...rows]);
  return [...table, ...changes, `version ${version}`];
}

/** Shows budgets after a change. */
export function showChanged({ version, budgets = [], values = [] }: ChangeAnswer) {
  const rows = budgets.map((budget, at) => [budget, ...cells(values[at] ?? undefined)]);
  return [`done, version ${version}`, ...columns([["budget", ...VALUE_HEADING], ...rows])];
}

const VALUE_HEADING = ["left", "fully reset in", "blocked for"];

function cells(value: ShownValue | undefined): readonly string[] {
  if (value === undefined) return ["", "", ""];
  const { remaining, capacity, resetAfter, blockedFor } = value;
  const left = remaining === null ? "unlimited" : `${remaining} of ${capacity}`;
  return [left, shownTime(resetAfter), blockedFor === 0 ? "-" : shownTime(blockedFor)];
}
