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
import { ANSWERED, type WorkerHandle } from "./worker-handle.ts";

type FleetContext = Pick<AdminTarget, "rules" | "settings">;

/**
 * Budgets are in the store that all workers share, so one of them makes a call for all. A worker
 * that hangs delays a call, and never blocks those after it.
 */
export function fleetTarget(fleet: Fleet, { rules, settings }: FleetContext): AdminTarget {
  return {
    rules,
    settings,
    execute: (call) => executeBy(fleet, call),
    setModes: async (switches) => {
      const silent = await fleet.setModes(switches);
      if (silent.length > 0) throw unconfirmed(silent);
    },
    topKeys: async () => {
      const all = await Promise.all(fleet.serving.map((member) => member.topKeys()));
      const counts = all.filter((one) => one !== undefined);
      const missing = all.length - counts.length;
      return { ...mergedCounts(counts), ...(missing > 0 && { missing }) };
    },
  };
}

async function executeBy(fleet: Fleet, call: BudgetCall): Promise<ValuesResponse> {
  const answer = (await answerOf(fleet, call)) ?? NO_WORKER;
  if ("values" in answer) return answer;
  if ("refused" in answer) throw new RequestError(answer.refused);
  throw new RequestError({ status: 503, code: "unavailable", detail: answer.failed });
}

/** Asks a worker that answers in time, if there is one. A read is repeated by the next one. */
async function answerOf(fleet: Fleet, call: BudgetCall): Promise<BudgetAnswer | undefined> {
  const next = () => fleet.serving.find(({ isLate }) => !isLate) ?? fleet.serving[0];
  const first = await next()?.call(call);
  const isRead = call.verb === "value" || call.verb === "ownValue";
  return first ?? (isRead ? next()?.call(call) : undefined);
}

function unconfirmed(silent: readonly WorkerHandle[]): RequestError {
  const names = silent.map(({ number, pid }) => `worker ${number}, process ${pid}`).join("; ");
  const detail =
    `Found no answer within ${ANSWERED} ms from ${names}, expected that all workers decide by ` +
    "these modes: the others do, and these do once they answer; end them to have them replaced";
  return new RequestError({ status: 503, code: "unavailable", detail });
}

const NO_WORKER: BudgetAnswer = {
  failed: "No worker has answered, so the call may have taken effect; read again, then repeat it",
};
