/** The target of an administration in a service with several workers. */
import {
  type AdminTarget,
  type BudgetCall,
  RequestError,
  type ValuesResponse,
} from "../../service/index.ts";
import { mergedCounts } from "../../telemetry/index.ts";
import type { Fleet } from "./fleet.ts";
import type { BudgetAnswer } from "./messages.ts";

type FleetContext = Pick<AdminTarget, "rules" | "settings">;

/** Budgets are in the store that all workers share, so one of them makes a call for all. */
export function fleetTarget(fleet: Fleet, { rules, settings }: FleetContext): AdminTarget {
  return {
    rules,
    settings,
    execute: (call) => executeBy(fleet, call),
    setModes: (switches) => fleet.setModes(switches),
    topKeys: async () => {
      const counts = await Promise.all(fleet.serving.map((member) => member.topKeys()));
      return mergedCounts(counts.filter((one) => one !== undefined));
    },
  };
}

async function executeBy(fleet: Fleet, call: BudgetCall): Promise<ValuesResponse> {
  const [member] = fleet.serving;
  const answer = (await member?.call(call)) ?? NO_WORKER;
  if ("values" in answer) return answer;
  if ("refused" in answer) throw new RequestError(answer.refused);
  throw new RequestError({ status: 503, code: "unavailable", detail: answer.failed });
}

const NO_WORKER: BudgetAnswer = {
  failed: "No worker has answered, so the call may have taken effect; read again, then repeat it",
};
