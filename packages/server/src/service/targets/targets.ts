/** Finds the budgets that the descriptors of a request lead to. */
import type { Limit } from "spillway";
import { joined, type Level, type Match, match, type Rule } from "../../rules/index.ts";
import type { Descriptor, LimitRequest, RuleRole } from "../contracts.ts";
import { RequestError } from "../request-error.ts";
import { countingLimit, isPlainWindow, type RulePlan, type RulePlans } from "../rulebook/plans.ts";
import type { Rulebook } from "../rulebook/rulebook.ts";
import type { ServiceSettings } from "../settings.ts";
import { givenRule } from "./given-rule.ts";
import { checkReservations } from "./kinds.ts";
import { moded, targetsBeside } from "./moded.ts";
import { storedKey } from "./stored-key.ts";
import type { RequestTargets, Target, TargetBudget } from "./target.ts";

/** Finds the rules for a request. An unknown domain has none. */
export function targetsOf(rulebook: Rulebook, request: LimitRequest): RequestTargets {
  const level = rulebook.rules.domains.get(request.domain);
  if (level === undefined) return { all: request.descriptors.map(() => undefined), ...NOTHING };
  const matches = request.descriptors.map((one) => matchOf(level, request.domain, one));
  const replaced = replacedBy(matches);
  const all = matches.map((found, index) => {
    if (found === undefined || isReplaced(found, replaced)) return undefined;
    return targetOf(rulebook, found, { request, one: request.descriptors[index] as Descriptor });
  });
  checkNumber(all);
  checkReservations(all);
  const { modes, settings } = rulebook;
  if (modes.hasNoSwitches) return { all, beside: [], hasFreeQuota: hasFreeQuota(all, settings) };
  const used = all.map((target) => target && moded(target, modes));
  return { all: used, beside: targetsBeside(used), hasFreeQuota: hasFreeQuota(used, settings) };
}

/** The maximum number of budgets in one command of a store. */
const MOST_BUDGETS = 1000;

/** @throws RequestError */
function checkNumber(all: readonly (Target | undefined)[]): void {
  let value = 0;
  for (const target of all) value += target?.budgets.length ?? 0;
  if (value <= MOST_BUDGETS) return;
  const detail = `Found ${value} budgets for the descriptors, expected at most ${MOST_BUDGETS}`;
  throw new RequestError({ status: 400, code: "bad-field", detail });
}

const NOTHING = { beside: [], hasFreeQuota: false } as const;

function matchOf(level: Level, domain: string, one: Descriptor): Match | undefined {
  return one.limit === undefined ? match(level, one.entries) : givenRule(domain, one, one.limit);
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the labels of limits that other limits replace. */
function replacedBy(matches: readonly (Match | undefined)[]): ReadonlySet<string> {
  if (!matches.some((found) => found !== undefined && found.rule.replaces.length > 0)) return NONE;
  return new Set(matches.flatMap((found) => found?.rule.replaces ?? []));
}

function isReplaced({ rule }: Match, replaced: ReadonlySet<string>): boolean {
  if (rule.label === undefined || rule.limit === "unlimited") return false;
  return replaced.has(rule.label);
}

type DescriptorRequest = { readonly request: LimitRequest; readonly one: Descriptor };

function targetOf(
  { plans, settings }: Rulebook,
  found: Match,
  { request, one }: DescriptorRequest,
): Target {
  const { rule, key } = found;
  const chargeRefused = settings.chargeRefused === true;
  const budgets = rule.limit === "unlimited" ? [] : [budgetOf(plans, found, chargeRefused)];
  for (const { rule: parent, opens } of rule.parents) {
    if (parent.limit === "unlimited") continue;
    const above = { rule: parent, key: joined(found.open, opens), open: found.open };
    budgets.push(budgetOf(plans, above, chargeRefused));
  }
  const { count = request.count ?? 1, reserve = request.reserve ?? false, refund = false } = one;
  return { rule, key, count, reserve, refund, role: roleOf(rule, settings), budgets };
}

/** Returns the budget of a match. Pure but for the plans, which are kept. */
export function budgetOf(
  plans: RulePlans,
  { rule, key }: Match,
  chargeRefused: boolean,
): TargetBudget {
  const isCounter = chargeRefused && isPlainWindow(rule.limit as Limit);
  const { plan, settings } = isCounter ? counterOf(plans, rule) : planOf(plans, rule);
  // Field by field: this runs for each call, and copying objects costs more than the decision.
  return { rule, plan, settings, key: storedKey(key), isCounter };
}

function planOf(plans: RulePlans, rule: Rule): RulePlan {
  return rule.path.length === 0
    ? plans.given(rule.name, rule.limit as Limit & Paced)
    : plans.of(rule);
}

type Paced = { readonly rate: number };

function counterOf(plans: RulePlans, rule: Rule): RulePlan {
  return plans.given(rule.name, countingLimit(rule.limit as Limit) as Limit & Paced);
}

function roleOf({ shadow, quota }: Rule, settings: ServiceSettings): RuleRole {
  if (shadow) return "shadow";
  return quota || settings.quota === true ? "quota" : "must";
}

/**
 * Whether some quota always passes: a quota that is off or in shadow mode or, if `quota` is set for
 * all, a descriptor that no rule matches. An unlimited rule is never a quota.
 */
function hasFreeQuota(
  all: readonly (Target | undefined)[],
  { quota = false }: ServiceSettings,
): boolean {
  return all.some((target) => {
    if (target === undefined) return quota;
    const { role, budgets, rule } = target;
    const isQuota = quota || rule.quota;
    return isQuota && (role === "off" || (role === "shadow" && budgets.length > 0));
  });
}
