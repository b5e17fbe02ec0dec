/**
 * Counts as envoyproxy/ratelimit does: every request adds to all its counters, refused or not, and
 * a limit is exceeded if its counter is above it.
 */
import { budgetId, type Decision, type Limit, type Store } from "spillway/core";
import { chain, decisionOf, type MaybePromise, MOST_UNITS } from "spillway/support";
import type { Target, TargetBudget } from "../targets/target.ts";
import { admit, type TargetDecisions } from "./admit.ts";
import type { TakeVerb } from "./take.ts";

type CountContext = { readonly store: Store; readonly verb: TakeVerb; readonly now: number };

/** Adds to all counters and returns the decisions that envoyproxy/ratelimit would have made. */
export function count(
  targets: readonly Target[],
  counting: CountContext,
): MaybePromise<TargetDecisions> {
  const bounded = targets.map((target) => ({
    ...target,
    count: Math.min(target.count, MOST_UNITS),
  }));
  const admission = { ...counting, leases: undefined, hasFreeQuota: true, passesAll: true };
  return chain(admit(bounded, admission), (decisions) => {
    fill(bounded, decisions, counting);
    return countedBy(targets, bounded, { decisions, now: counting.now });
  });
}

/**
 * Fills a counter that can't hold the count, so that it stays above its limit until its window
 * ends.
 */
function fill(
  targets: readonly Target[],
  decisions: TargetDecisions,
  { store, verb }: CountContext,
): void {
  if (verb === "check") return;
  for (const target of targets) {
    const own = decisions.get(target) as readonly Decision[];
    for (const [index, budget] of target.budgets.entries()) {
      const { ok, remaining, reason } = own[index] as Decision;
      if (ok || remaining === 0 || reason === "unavailable") continue;
      const ask = { ...budget, count: remaining, reserve: false, lease: undefined };
      // Another request may have filled it in between. A failing store has already been reported.
      Promise.resolve(store.execute({ verb: "limit", budgets: [ask] })).catch(() => {});
    }
  }
}

type CountedDecisions = { readonly decisions: TargetDecisions; readonly now: number };

/**
 * Splits asks on one budget that were counted together: each earlier one saw a counter lower by the
 * counts after it.
 */
function countedBy(
  targets: readonly Target[],
  bounded: readonly Target[],
  { decisions, now }: CountedDecisions,
): TargetDecisions {
  const later = new Map<string, number>();
  const result: [Target, readonly Decision[]][] = [];
  for (let place = targets.length - 1; place >= 0; place--) {
    const target = bounded[place] as Target;
    const own = target.budgets.map((budget, index) => {
      const decision = (decisions.get(target) as readonly Decision[])[index] as Decision;
      const id = budgetId(budget);
      const since = later.get(id) ?? 0;
      later.set(id, since + target.count);
      // A count above the maximum of a counter exceeds every limit.
      const isAbove = (targets[place]?.count ?? 0) > MOST_UNITS;
      return windowOf(budget, decision, { since: isAbove ? -Infinity : since, now });
    });
    result.unshift([targets[place] as Target, own]);
  }
  return new Map(result);
}

type CountWindow = { readonly since: number; readonly now: number };

function windowOf(
  { rule }: TargetBudget,
  counted: Decision,
  { since, now }: CountWindow,
): Decision {
  if (counted.degraded || counted.reason === "unavailable") return counted;
  const { rate, period } = rule.limit as Limit & { readonly rate: number; readonly period: number };
  const after = counted.ok ? MOST_UNITS - counted.remaining - since : Number.POSITIVE_INFINITY;
  const untilEnd = period - (now % period);
  const limit = { limit: rule.name, capacity: rate };
  if (after <= rate) return decisionOf(limit, { remaining: rate - after, resetAfter: untilEnd });
  const wait = { retryAfter: untilEnd, resetAfter: untilEnd };
  return decisionOf(limit, { remaining: 0, ...wait, reason: "limited" });
}
