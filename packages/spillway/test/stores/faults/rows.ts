/** Outcomes as rows of Markdown tables. */
import { most } from "./books.ts";
import type { Phase } from "./clients/protocol.ts";
import type { ExactRun } from "./exact-run.ts";
import { askedIn, degradedIn } from "./fault.ts";
import type { Outcome } from "./outcome.ts";

const ANSWERS = {
  closed: "refused as `unavailable`",
  open: "admitted",
  local: "counted by each process for itself",
} as const;

export function faultRow(outcome: Outcome): string {
  const bounds = outcome.limits.map((limit) => bound(outcome, limit));
  const cells = [outcome.fault.name, meanwhile(outcome), `${Math.round(outcome.healed)} ms`];
  return `| ${[...cells, bounds.join("; ")].join(" | ")} |`;
}

export function boundRow(run: ExactRun, limit: string): string {
  const asked = run.tallies(limit).reduce((sum, tally) => sum + tally.asked, 0);
  const span = run.span(limit);
  return `| ${limit} | ${asked} | ${run.admitted(limit) + span.to.taken} | ${most(span)} |`;
}

/** What callers got while the fault lasted. */
function meanwhile(outcome: Outcome): string {
  const during = outcome.phases("during");
  const asked = sum(during, askedIn);
  const degraded = sum(during, degradedIn);
  const longest = Math.max(...during.flatMap(({ tallies }) => tallies.map((each) => each.longest)));
  const waits = `the longest wait ${Math.round(longest)} ms`;
  if (degraded === 0) return `all ${asked} calls answered as ever, ${waits}`;
  const answer = ANSWERS[outcome.fault.whenUnavailable ?? "closed"];
  const failed = sum(during, ({ events }) => events.failed);
  return `${degraded} of ${asked} calls ${answer}, ${waits}; ${failed} requests failed`;
}

function bound(outcome: Outcome, limit: string): string {
  const { admitted, charged, most, capacity } = outcome.account(limit);
  if (outcome.fault.bound !== "exact") return `${limit} ${admitted} of ${most} + ${capacity}`;
  const lost = charged === admitted ? "" : `, ${charged - admitted} more charged`;
  return `${limit} ${admitted} of ${most}${lost}`;
}

function sum(phases: readonly Phase[], count: (phase: Phase) => number): number {
  return phases.reduce((total, phase) => total + count(phase), 0);
}
