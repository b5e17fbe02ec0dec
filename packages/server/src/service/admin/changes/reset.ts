import type { ChangeKind } from "../contracts.ts";
import { type BudgetBody, planBudgets } from "./budgets.ts";

/** Forgets what budgets have used. Blocks stay. */
export const reset: ChangeKind<BudgetBody> = {
  plan: (state, { domain, descriptors }) =>
    planBudgets(
      state,
      { domain, descriptors },
      {
        call: { verb: "reset", request: { domain, descriptors } },
        leadsTo: (before) => ({ ...before, remaining: before.capacity }),
      },
    ),
};
