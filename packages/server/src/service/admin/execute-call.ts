import type { ValuesResponse } from "../contracts.ts";
import type { Service } from "../service.ts";
import type { BudgetCall } from "./contracts.ts";

type BudgetService = Pick<Service, "value" | "reset" | "block" | "unblock" | "settle">;

/** Makes a call on budgets, and returns their values afterwards. */
export async function executeCall(
  service: BudgetService,
  call: BudgetCall,
): Promise<ValuesResponse> {
  if (call.verb === "block") return service.block(call.request);
  if (call.verb === "settle") return service.settle(call.request);
  if (call.verb === "unblock") return service.unblock(call.request);
  if (call.verb === "reset") await service.reset(call.request);
  return service.value(call.request);
}
