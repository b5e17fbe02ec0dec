import type { ChangeKind } from "../contracts.ts";
import { type BudgetBody, planBudgets } from "./budgets.ts";

/** Ends blocks. Used units stay used. */
export const unblock: ChangeKind<BudgetBody> = {
  plan: (state, { domain, descriptors }) =>
    planBudgets(
      state,
      { domain, descriptors },
      {
        call: { verb: "unblock", request: { domain, descriptors } },
        leadsTo: (before) => ({ ...before, blockedFor: 0 }),
      },
    ),
};
