/** Formats budgets for people. All functions are pure. */
import { LONGEST } from "spillway/core";
import { MOST_UNITS } from "spillway/support";
import type { AuditEntry } from "../../service/index.ts";
import type { BudgetsAnswer, ChangeAnswer, ShownValue } from "./answers.ts";
import { columns, shownTime } from "./columns.ts";

type ShownBudget = BudgetsAnswer["budgets"][number];

/** Shows budgets, and the latest change of each. */
export function showBudgets({ version, budgets }: BudgetsAnswer): readonly string[] {
  const rows = budgets.map(({ budget, mode, key, value }) => [budget, ...cells(value), mode, key]);
  const changes = budgets.flatMap(changesOf);
  const table = columns([["budget", ...VALUE_HEADING, "mode", "key"], ...rows]);
  return [...table, ...changes, `version ${version}`];
}

/** Shows the override in force, and the latest change if that is another one. */
function changesOf({ budget, override, changed }: ShownBudget): readonly string[] {
  const isAnother = changed !== undefined && changed.version !== override?.by?.version;
  const latest = isAnother ? [`${budget}: ${shownChange(changed)}`] : [];
  if (override === undefined) return latest;
  const { for: ms, capacity, by } = override;
  const most = capacity >= MOST_UNITS ? "no limit" : `capacity ${capacity}`;
  const length = ms > LONGEST ? "until it is ended" : `for ${shownTime(ms)}`;
  const maker = by === undefined ? "by a change that is no longer known" : shownChange(by);
  return [`${budget}: ${most} ${length}, ${maker}`, ...latest];
}

function shownChange({ version, what, by, at, reason }: AuditEntry): string {
  const why = reason === undefined ? "" : `: ${reason}`;
  return `${what} at ${at} by ${by}, version ${version}${why}`;
}

/** Shows budgets after a change. */
export function showChanged({ version, budgets = [], values = [] }: ChangeAnswer) {
  const rows = budgets.map((budget, at) => [budget, ...cells(values[at] ?? undefined)]);
  return [`done, version ${version}`, ...columns([["budget", ...VALUE_HEADING], ...rows])];
}

const VALUE_HEADING = ["left", "fully reset in", "blocked for"];

function cells(value: ShownValue | undefined): readonly string[] {
  if (value === undefined) return ["", "", ""];
  const { remaining, capacity, resetAfter } = value;
  const isUnlimited = remaining === null || (capacity ?? 0) >= MOST_UNITS;
  const left = isUnlimited ? "unlimited" : `${remaining} of ${capacity}`;
  return [left, shownTime(resetAfter), shownBlock(value)];
}

function shownBlock({ blockedFor, penalized }: ShownValue): string {
  if (blockedFor === 0) return "-";
  return penalized ? `${shownTime(blockedFor)}, penalty` : shownTime(blockedFor);
}
