/** Builds the response to a request: takes, counts and gives back units, and names the lease. */
import type { Decision, JointDecision, Random } from "spillway";
import { chain, deciding, decisionOf, joined, type MaybePromise, together } from "spillway/support";
import type { Rule } from "../../rules/index.ts";
import type { LimitResponse, RuleDecision } from "../contracts.ts";
import { RequestLeases } from "../leases/request-leases.ts";
import type { ServiceSettings } from "../settings.ts";
import { hasLeases } from "../targets/kinds.ts";
import type { RequestTargets, Target } from "../targets/target.ts";
import { type AdmitOptions, admit, type TargetDecisions } from "./admit.ts";
import { count } from "./count.ts";
import { refund } from "./refund.ts";
import { refusalsOf } from "./refusals.ts";
import { spread } from "./spread.ts";
import type { TakeOptions } from "./take.ts";

/** How a request is decided, and by which clock. */
export type RespondOptions = Omit<TakeOptions, "leases"> & {
  readonly settings: ServiceSettings;
  readonly now: number;
  /** The source of randomness for the jitter of rules. */
  readonly random: Random;
};

/** Decides on targets, takes from them, and returns the response. */
export function responseTo(
  { all: targets, beside, hasFreeQuota }: RequestTargets,
  way: RespondOptions,
): MaybePromise<LimitResponse> {
  const { settings, now, random, store, verb, heldTimes } = way;
  const takesLeases =
    targets.some((target) => target && hasLeases(target)) || beside.some(hasLeases);
  const leases = takesLeases ? new RequestLeases() : undefined;
  const passesAll = settings.shadow === true;
  const asking = { store, verb, leases, heldTimes };
  const deciding = { ...asking, settings, now, random, hasFreeQuota, passesAll };
  const asked = beside.length === 0 ? targets : [...targets, ...beside];
  return chain(decide(asked, deciding), (decisions) => {
    const outcomes = targets.map(
      (target) => target && spread(outcomeOf(target, decisions.get(target)), random),
    );
    const isCounted = (one: RuleDecision | undefined, index: number): one is RuleDecision =>
      one !== undefined && hasBudgets(targets[index]);
    const counted = outcomes.every(isCounted) ? outcomes : outcomes.filter(isCounted);
    const refusals = refusalsOf(counted, hasFreeQuota);
    const joint = jointOf(counted, passesAll ? [] : refusals);
    // If refused requests are charged, leases may have been taken beside a counter above its limit.
    if (verb === "limit" && joint?.ok === false) leases?.abandon(store);
    const lease = verb === "limit" && joint?.ok ? leases?.heldBy(targets) : undefined;
    return { now, joint, outcomes, isSpared: passesAll && refusals.length > 0, lease };
  });
}

/** Joins all decisions; undefined if there are none. */
function jointOf(
  outcomes: readonly RuleDecision[],
  refusals: readonly Decision[],
): JointDecision | undefined {
  if (outcomes.length === 0) return undefined;
  return joined(
    outcomes.map(({ decision }) => decision),
    refusals,
  );
}

type DecideInput = RespondOptions & AdmitOptions;

/** Decides on all targets with budgets: it gives units back, then counts, then takes. */
function decide(
  targets: readonly (Target | undefined)[],
  way: DecideInput,
): MaybePromise<TargetDecisions> {
  const [only] = targets;
  const isPlain = targets.length === 1 && only !== undefined && !only.refund;
  const counted = targets.filter(hasBudgets);
  if (isPlain && way.settings.chargeRefused !== true) return admit(counted, way);
  const refunds = counted.filter((target) => target.refund);
  const charges = counted.filter((target) => !target.refund);
  const counters = charges.filter(isCounter);
  const others = charges.filter((target) => !isCounter(target));
  const giveBack = () =>
    chain(
      refund(refunds, way),
      (all): TargetDecisions => new Map(refunds.map((one, at) => [one, all[at] ?? []])),
    );
  const steps = [giveBack, () => count(counters, way), () => admit(others, way)];
  return chain(
    together(steps, (step) => step()),
    (maps) => new Map(maps.flatMap((map) => [...map])),
  );
}

function hasBudgets(target: Target | undefined): target is Target {
  return target !== undefined && target.budgets.length > 0;
}

function isCounter({ budgets }: Target): boolean {
  return budgets.every((budget) => budget.isCounter);
}

/**
 * Returns the outcome of a target: the refusal with the longest wait, or the tightest admission.
 */
function outcomeOf(target: Target, decisions: readonly Decision[] = []): RuleDecision {
  const { rule, key, count, role, budgets } = target;
  if (decisions.length === 0)
    return { rule, key, count, role, decision: unaskedDecision(rule), decidedBy: rule };
  const [only] = decisions;
  if (decisions.length === 1 && only !== undefined) {
    return { rule, key, count, role, decision: only, decidedBy: budgets[0]?.rule ?? rule };
  }
  const decision = deciding(decisions);
  const decidedBy = budgets[decisions.indexOf(decision)]?.rule ?? rule;
  return { rule, key, count, role, decision: estimated(decision, decisions), decidedBy };
}

/** Returns the refusal that counts, with the longest wait of all: each by its estimate, if any. */
function estimated(refusal: Decision, decisions: readonly Decision[]): Decision {
  if (refusal.estimatedRetryAfter === undefined) return refusal;
  const refusals = decisions.filter(({ ok }) => !ok);
  const waits = refusals.map((one) => one.estimatedRetryAfter ?? one.retryAfter);
  return { ...refusal, estimatedRetryAfter: Math.max(...waits) };
}

/** Returns the decision of a limit that is not asked, being unlimited or off. All is left. */
function unaskedDecision({ name, limit }: Rule): Decision {
  const capacity = capacityOf(limit);
  return decisionOf({ limit: name, capacity }, { remaining: capacity });
}

function capacityOf(limit: Rule["limit"]): number {
  if (limit === "unlimited") return Number.POSITIVE_INFINITY;
  if ("capacity" in limit && limit.capacity !== undefined) return limit.capacity;
  return (limit as { readonly rate: number }).rate;
}
