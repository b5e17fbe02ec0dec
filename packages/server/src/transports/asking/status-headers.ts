/** Writes what is left under the limits of a request as headers for its client. */
import type { Limit } from "spillway";
import {
  type Header,
  type LimitStatus,
  type Policy,
  policyOf,
  rateLimitHeaders,
} from "spillway/http";
import type { Rule } from "../../rules/index.ts";
import type { LimitResponse, RuleDecision } from "../../service/index.ts";

/**
 * Returns `RateLimit` and `RateLimit-Policy` for the limits that are enforced: with a refusal, only
 * for those that refuse. None if the store gave no answer.
 */
export function statusHeaders({ joint, outcomes, now }: LimitResponse): readonly Header[] {
  if (joint === undefined || outcomes.some((outcome) => outcome?.decision.degraded)) return [];
  const enforced = outcomes.filter((one) => one !== undefined).filter(isEnforced);
  const shown = joint.ok ? enforced : enforced.filter(({ decision }) => !decision.ok);
  const isFirst = ({ decision }: RuleDecision) => decision.limit === joint.limit;
  const ordered = [...shown.filter(isFirst), ...shown.filter((one) => !isFirst(one))];
  const limits = tightestOfEach(ordered.map(statusOf));
  return limits.length === 0
    ? []
    : rateLimitHeaders("draft", { limits, retryAfter: undefined, now: () => now });
}

/** Returns the names of the policies that refused. */
export function refusedPolicies({ outcomes }: LimitResponse): readonly string[] {
  const refused = outcomes.filter(
    (one) => one !== undefined && isEnforced(one) && !one.decision.ok,
  );
  return [...new Set(refused.map((one) => policyOfRule((one as RuleDecision).decidedBy).name))];
}

/** Whether a client sees a limit: it can refuse requests, and is asked. */
export function isEnforced({ role, decidedBy }: RuleDecision): boolean {
  return (role === "must" || role === "quota") && decidedBy.limit !== "unlimited";
}

function statusOf({ decision, decidedBy }: RuleDecision): LimitStatus {
  const policy = policyOfRule(decidedBy);
  const { ok, remaining, reason, retryAfter, estimatedRetryAfter, resetAfter } = decision;
  const wait = ok ? resetAfter : (estimatedRetryAfter ?? retryAfter);
  const isKnown = Number.isFinite(wait) && !(ok && policy.isConcurrency);
  return {
    policy,
    remaining: reason === "blocked" || reason === "penalized" ? 0 : remaining,
    wait: isKnown ? wait : undefined,
    partition: undefined,
  };
}

const policies = new WeakMap<Rule, Policy>();

function policyOfRule(rule: Rule): Policy {
  const policy = policies.get(rule) ?? policyOf(rule.name, rule.limit as Limit);
  policies.set(rule, policy);
  return policy;
}

/** Keeps the budget with the least left of each policy, in order. */
function tightestOfEach(statuses: readonly LimitStatus[]): readonly LimitStatus[] {
  const tightest = new Map<string, LimitStatus>();
  for (const one of statuses) {
    const known = tightest.get(one.policy.item);
    if (known === undefined || one.remaining < known.remaining) tightest.set(one.policy.item, one);
  }
  return [...tightest.values()];
}
