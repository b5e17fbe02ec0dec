/** What the descriptors of a request lead to. */
import type { Rule } from "../../rules/index.ts";
import type { Role } from "../contracts.ts";
import type { Planned } from "../rulebook/plans.ts";

/** A budget to take from. */
export type TargetBudget = Planned & {
  readonly rule: Rule;
  readonly key: string | undefined;
  /** Whether it counts everything, as envoyproxy/ratelimit does, and refuses nothing itself. */
  readonly isCounter: boolean;
};

/** A descriptor that has met a rule. */
export type Target = {
  readonly rule: Rule;
  readonly key: string | undefined;
  readonly count: number;
  /** Whether units may be taken ahead of time, under limits that have a bound for that. */
  readonly reserve: boolean;
  readonly refund: boolean;
  readonly role: Role;
  /** The rule's own budget, then those of the limits above that also apply; none for no limit. */
  readonly budgets: readonly TargetBudget[];
};

/** The budgets of a target's own rule, without those of limits above that also apply. */
export function ownBudgets({ rule, budgets }: Target): readonly TargetBudget[] {
  return budgets.filter((budget) => budget.rule === rule);
}

/** What a request leads to. */
export type Targets = {
  /** One for each descriptor, in order; undefined where no rule, or a replaced one, is for it. */
  readonly all: readonly (Target | undefined)[];
  /** Whether a quota has room whatever is counted. */
  readonly hasFreeQuota: boolean;
};
