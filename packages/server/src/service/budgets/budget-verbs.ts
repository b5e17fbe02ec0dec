import type { Store } from "spillway";
import type { KeyRequest, LimitRequest } from "../contracts.ts";
import { responseTo } from "../deciding/respond.ts";
import type { ServiceParts } from "../parts.ts";
import type { Service } from "../service.ts";
import { ownBudgets, type Target } from "../targets/target.ts";
import { targetsOf } from "../targets/targets.ts";
import { changeOverride } from "./overrides.ts";
import { changeBlock, readOwnValues, readValues, settle } from "./values.ts";

type BudgetVerbs = Pick<
  Service,
  "settle" | "value" | "ownValue" | "block" | "unblock" | "override" | "endOverride" | "reset"
>;

/** Creates the verbs that work on budgets regardless of earlier requests. */
export function budgetVerbs({ store, inUse, settings, clock, random }: ServiceParts): BudgetVerbs {
  const targetsAt = (request: KeyRequest) => targetsOf(inUse.declared, withoutCounts(request));
  return {
    settle: async (request) => settle(store, targetsAt(request).all, request.descriptors),
    value: async (request) => readValues(store, targetsAt(request).all),
    ownValue: async (request) => readOwnValues(store, targetsAt(request).all),
    block: async (request) => changeBlock(store, targetsAt(request).all, request.for),
    unblock: async (request) => changeBlock(store, targetsAt(request).all, undefined),
    override: async (request) => changeOverride(store, targetsAt(request).all, request),
    endOverride: async (request) => changeOverride(store, targetsAt(request).all, undefined),
    reset: async (request) => {
      await forget(store, targetsOf(inUse.declared, request).all);
      const now = clock();
      return responseTo(targetsAt(request), { store, verb: "check", settings, now, random });
    },
  };
}

async function forget(store: Store, targets: readonly (Target | undefined)[]): Promise<void> {
  const own = targets.flatMap((target) => (target === undefined ? [] : ownBudgets(target)));
  await Promise.all(
    own.map(async ({ plan, key, settings }) =>
      store.execute({ verb: "reset", budgets: [{ plan, key, settings }] }),
    ),
  );
}

/** Only finds the budgets: nothing is taken. */
function withoutCounts({ domain, descriptors }: KeyRequest): LimitRequest {
  return { domain, descriptors: descriptors.map(({ entries }) => ({ entries })), count: 0 };
}
