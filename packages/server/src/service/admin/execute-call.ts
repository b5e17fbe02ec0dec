import type { ValuesResponse } from "../contracts.ts";
import type { Service } from "../service.ts";
import type { BudgetCall } from "./contracts.ts";

type BudgetService = Pick<
  Service,
  "value" | "ownValue" | "reset" | "block" | "unblock" | "override" | "endOverride" | "settle"
>;

type BudgetVerb = BudgetCall["verb"];
type RequestOf<V extends BudgetVerb> = Extract<BudgetCall, { readonly verb: V }>["request"];
type BudgetExecutors = {
  readonly [V in BudgetVerb]: (
    service: BudgetService,
    request: RequestOf<V>,
  ) => Promise<ValuesResponse>;
};

const EXECUTORS: BudgetExecutors = {
  value: (service, request) => service.value(request),
  ownValue: (service, request) => service.ownValue(request),
  reset: async (service, request) => {
    await service.reset(request);
    return service.value(request);
  },
  block: (service, request) => service.block(request),
  unblock: (service, request) => service.unblock(request),
  override: (service, request) => service.override(request),
  endOverride: (service, request) => service.endOverride(request),
  settle: (service, request) => service.settle(request),
};

/** Makes a call on budgets, and returns their values afterwards. */
export async function executeCall(
  service: BudgetService,
  { verb, request }: BudgetCall,
): Promise<ValuesResponse> {
  return EXECUTORS[verb](service, request as never);
}
