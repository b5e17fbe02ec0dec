/** Overrides of budgets, which are checked by their rules before they are audited. */
import { overrideOf } from "../../budgets/overrides.ts";
import type { KeyRequest, OverrideNumbers, OverrideRequest } from "../../contracts.ts";
import { RulePlans } from "../../rulebook/plans.ts";
import { budgetOf } from "../../targets/targets.ts";
import { budgetsNamed } from "../budget-names.ts";
import type { AdminState, ChangeBody, ChangeKind } from "../contracts.ts";
import { type BudgetBody, planBudgets } from "./budgets.ts";

export type OverrideBody = ChangeBody & OverrideRequest;

/** Gives budgets definitions of their own. Replaces earlier overrides. */
export const override: ChangeKind<OverrideBody> = {
  plan: async (state, { reason: _reason, version: _version, ...request }) => {
    const capacities = capacitiesAfter(state, request, request);
    const { for: lasts } = request;
    return planBudgets(state, request, {
      call: { verb: "override", request },
      leadsTo: ({ blockedFor }, place) => {
        return { ...capacities[place], blockedFor, overriddenFor: lasts };
      },
      ...(lasts !== undefined && { lasts }),
    });
  },
};

/** Ends overrides. Used units stay used. */
export const endOverride: ChangeKind<BudgetBody> = {
  plan: async (state, { domain, descriptors }) => {
    const request = { domain, descriptors };
    const capacities = capacitiesAfter(state, request, undefined);
    return planBudgets(state, request, {
      call: { verb: "endOverride", request },
      leadsTo: ({ blockedFor }, place) => ({ ...capacities[place], blockedFor }),
    });
  },
};

/** The capacity of a budget; absent if it is unlimited. */
type CapacityAfter = { readonly capacity?: number };

/** Checks overrides by the rules in use. @throws RequestError `no-overrides`, `bad-override` */
function capacitiesAfter(
  { target }: AdminState,
  { domain, descriptors }: KeyRequest,
  numbers: OverrideNumbers | undefined,
): readonly CapacityAfter[] {
  const { chargeRefused = false } = target.settings;
  const plans = new RulePlans("closed");
  return budgetsNamed(target.rules(), { domain, descriptors }).map((match, place) => {
    const budget = budgetOf(plans, match, chargeRefused);
    const { plan } = overrideOf(budget, { store: { overrides: true }, numbers, place });
    return numbers?.unlimited === true ? {} : { capacity: plan.capacity };
  });
}
