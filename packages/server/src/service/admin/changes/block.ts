import type { BlockRequest } from "../../contracts.ts";
import type { ChangeBody, ChangeKind } from "../contracts.ts";
import { planBudgets } from "./budgets.ts";

export type BlockBody = ChangeBody & BlockRequest;

/** Refuses everything on budgets for a time. Replaces an earlier block. */
export const block: ChangeKind<BlockBody> = {
  plan: (state, { domain, descriptors, for: ms }) =>
    planBudgets(
      state,
      { domain, descriptors },
      {
        call: { verb: "block", request: { domain, descriptors, for: ms } },
        leadsTo: (before) => ({ ...before, blockedFor: ms }),
        lasts: ms,
      },
    ),
};
