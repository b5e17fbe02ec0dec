/** From the response of the service to a RateLimitResponse of Envoy's. */
import type { Decision, Rate } from "spillway";
import { milliseconds, SECOND } from "spillway/core";
import { unitLasting } from "../../../rules/index.ts";
import type { LimitResponse, Outcome } from "../../../service/index.ts";

/** How Envoy's service says that there is no bound. */
const MOST_UINT32 = 2 ** 32 - 1;

/** Makes the body; fields that have their default value are left out. Pure. */
export function toResponse(response: LimitResponse) {
  return {
    overallCode: codeOf(response.joint?.ok),
    statuses: response.outcomes.map((outcome) => statusOf(outcome, response)),
  };
}

function codeOf(ok = true): "OK" | "OVER_LIMIT" {
  return ok ? "OK" : "OVER_LIMIT";
}

function statusOf(outcome: Outcome | undefined, response: LimitResponse) {
  const code = codeOf(outcome?.decision.ok);
  if (outcome === undefined) return { code };
  const { limit, label } = outcome.rule;
  if (limit === "unlimited") return { code, limitRemaining: MOST_UINT32 };
  const unit = unitLasting(milliseconds(limit.period) ?? 0)?.toUpperCase();
  return {
    code,
    currentLimit: { requestsPerUnit: limit.rate || undefined, unit, name: label },
    limitRemaining: remainingOf(outcome.decision) || undefined,
    durationUntilReset: durationOf(limit, outcome.decision, response.now),
  };
}

/** What is left: nothing where a limit refused, as Envoy's service says it. */
function remainingOf({ ok, remaining }: Decision): number {
  return ok ? remaining : 0;
}

/** Until the window ends, or until the key is fully reset; undefined for never. */
function durationOf(limit: Rate, decision: Decision, now: number): string | undefined {
  const period = milliseconds(limit.period) ?? 0;
  // Without the store, the end of the window would be no time to come back at.
  const hasWindow = limit.kind === "fixed window" && !decision.degraded;
  const ms = hasWindow ? period - (now % period) : decision.resetAfter;
  return Number.isFinite(ms) ? `${Math.ceil(ms / SECOND)}s` : undefined;
}
