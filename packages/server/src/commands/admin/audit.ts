import type { AuditEntry } from "../../service/index.ts";
import type { AdminCommand } from "./admin-command.ts";
import { countOption } from "./admin-options.ts";
import type { AuditAnswer } from "./answers.ts";
import { columns } from "./columns.ts";

/** `spillway audit`: shows the newest entries of the audit log. */
export const audit: AdminCommand = {
  name: "audit",
  about: "show the newest changes and refused tries, the latest last",
  options: [countOption()],
  call: ({ count }: { readonly count: number }) => ({ path: `audit?count=${count}` }),
  show: showAudit,
};

const HEADING = ["version", "at", "what", "of", "before", "after", "by", "outcome"];

function showAudit({ entries, where }: AuditAnswer): readonly string[] {
  const place = `kept in ${where}`;
  return entries.length === 0 ? [place] : [...columns([HEADING, ...entries.map(cells)]), place];
}

function cells(entry: AuditEntry): readonly string[] {
  const { version, at, what, on, before, after } = entry;
  const subjects = on.join(", ") || "-";
  const states = [state(before), state(after)];
  return [String(version), at, what, subjects, ...states, callerOf(entry), outcomeOf(entry)];
}

function callerOf({ by, service }: AuditEntry): string {
  return service === undefined ? by : `${by}, ${service}`;
}

/** The part of an audited budget that is shown. */
type ShownBudget = {
  readonly remaining?: number;
  readonly capacity?: number;
  readonly blockedFor: number;
};

/** Shows a mode, or budgets such as `1 left, blocked` or `capacity 5000`. */
function state(value: unknown): string {
  if (value === undefined) return "-";
  if (!Array.isArray(value)) return String(value);
  return value.map(shownBudget).join("; ");
}

function shownBudget({ remaining, capacity, blockedFor }: ShownBudget): string {
  const most = capacity === undefined ? "unlimited" : `capacity ${capacity}`;
  const left = remaining === undefined ? most : `${remaining} left`;
  return blockedFor > 0 ? `${left}, blocked` : left;
}

function outcomeOf({ outcome, code, reason, until }: AuditEntry): string {
  const notes = [
    outcome === "accepted" ? outcome : `${outcome}: ${code}`,
    until === undefined ? "" : `until ${until}`,
    reason ?? "",
  ];
  return notes.filter((note) => note !== "").join(", ");
}
