/** Applies switched modes to the targets of a request. Pure. */
import type { LimitMode } from "spillway";
import type { RuleModes } from "../modes/rule-modes.ts";
import type { Target, TargetBudget } from "./target.ts";

/**
 * Returns the target as the modes have it: budgets of limits that are off are left out, and a limit
 * above in shadow mode only counts.
 */
export function moded(target: Target, modes: RuleModes): Target {
  const { rule, budgets } = target;
  if (budgets.length === 0) return target;
  const own = modes.of(rule);
  const on = budgets.filter((budget) => modes.of(budget.rule) !== "off");
  if (on.length === 0) return { ...target, role: "off", budgets: [] };
  if (own === "shadow") return { ...target, role: "shadow", budgets: on };
  const isBeside = (budget: TargetBudget) => isShadowAbove(budget, { rule, modes });
  return {
    ...target,
    role: target.role === "shadow" ? "must" : target.role,
    budgets: on.filter((budget) => !isBeside(budget)),
    beside: on.filter(isBeside),
  };
}

type AboveContext = Pick<Target, "rule"> & { readonly modes: RuleModes };

/** Whether a budget is that of a limit above the target's own that was switched to shadow mode. */
function isShadowAbove(budget: TargetBudget, { rule, modes }: AboveContext): boolean {
  const mode: LimitMode = modes.of(budget.rule);
  return budget.rule !== rule && mode === "shadow" && !budget.rule.shadow;
}

/** Returns targets for the limits above that only count: they are asked, and refuse nothing. */
export function targetsBeside(targets: readonly (Target | undefined)[]): readonly Target[] {
  return targets.flatMap((target) =>
    (target?.beside ?? []).map((budget) => ({
      ...(target as Target),
      rule: budget.rule,
      key: budget.key,
      role: "shadow" as const,
      budgets: [budget],
      beside: undefined,
    })),
  );
}
