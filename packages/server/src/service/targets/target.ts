/** The budgets that the descriptors of a request lead to. */
import type { Rule } from "../../rules/index.ts";
import type { RuleRole } from "../contracts.ts";
import type { RulePlan } from "../rulebook/plans.ts";

/** A budget to take from. */
export type TargetBudget = RulePlan & {
  readonly rule: Rule;
  readonly key: string | undefined;
  /** Whether the budget only counts, as in envoyproxy/ratelimit, and refuses nothing itself. */
  readonly isCounter: boolean;
};

/** A descriptor that meets a rule. */
export type Target = {
  readonly rule: Rule;
  readonly key: string | undefined;
  readonly count: number;
  /** Whether units may be taken ahead of time, under limits with a bound for that. */
  readonly reserve: boolean;
  readonly refund: boolean;
  readonly role: RuleRole;
  /**
   * The rule's own budget, then those of the limits above that also apply; empty if there is no
   * limit.
   */
  readonly budgets: readonly TargetBudget[];
  /** Budgets of limits above that were switched to shadow mode: asked, and not obeyed. */
  readonly beside?: readonly TargetBudget[] | undefined;
};

/** Returns the budgets of a target's own rule, without those of limits above that also apply. */
export function ownBudgets({ rule, budgets }: Target): readonly TargetBudget[] {
  return budgets.filter((budget) => budget.rule === rule);
}

/** All targets of a request. */
export type RequestTargets = {
  /**
   * One for each descriptor, in order; undefined if no rule applies, or another limit replaces it.
   */
  readonly all: readonly (Target | undefined)[];
  /** Limits above in switched shadow mode: asked beside the others, without an outcome. */
  readonly beside: readonly Target[];
  /** Whether some quota always has room. */
  readonly hasFreeQuota: boolean;
};
