import type { ValuesResponse } from "../contracts.ts";
import type { Service } from "../service.ts";
import type { BudgetCall } from "./contracts.ts";

type BudgetService = Pick<
  Service,
  "value" | "ownValue" | "reset" | "block" | "unblock" | "override" | "endOverride" | "settle"
>;

/** Makes a call on budgets, and returns their values afterwards. */
export async function executeCall(
  service: BudgetService,
  call: BudgetCall,
): Promise<ValuesResponse> {
  if (call.verb === "block") return service.block(call.request);
  if (call.verb === "settle") return service.settle(call.request);
  if (call.verb === "unblock") return service.unblock(call.request);
  if (call.verb === "override") return service.override(call.request);
  if (call.verb === "endOverride") return service.endOverride(call.request);
  if (call.verb === "ownValue") return service.ownValue(call.request);
  if (call.verb === "reset") await service.reset(call.request);
  return service.value(call.request);
}
