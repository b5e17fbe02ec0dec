/** The part that changes of budgets have in common. */
import type { Value } from "spillway";
import type { KeyRequest } from "../../contracts.ts";
import type { AuditEntry } from "../audit.ts";
import { budgetsNamed } from "../budget-names.ts";
import type { AdminState, BudgetCall, ChangeBody, ChangePlan } from "../contracts.ts";

export type BudgetBody = ChangeBody & KeyRequest;

/** A budget's state in the audit log. */
export type AuditedBudget = { readonly remaining: number; readonly blockedFor: number };

type BudgetChange = {
  readonly call: BudgetCall;
  /** Returns the state that the change leads to. */
  readonly leadsTo: (before: AuditedBudget, value: Value) => AuditedBudget;
  readonly lasts?: number;
};

/** Plans a call on budgets, whose state before is read from the store. @throws RequestError */
export async function planBudgets(
  { target }: AdminState,
  { domain, descriptors }: KeyRequest,
  { call, leadsTo, lasts }: BudgetChange,
): Promise<ChangePlan> {
  const named = budgetsNamed(target.rules(), { domain, descriptors });
  const on = named.map(({ budget }) => budget);
  const { values } = await target.execute({ verb: "value", request: { domain, descriptors } });
  const known = values.filter((value) => value !== undefined);
  const before = known.map(audited);
  return {
    on,
    before,
    after: known.map((value) => leadsTo(audited(value), value)),
    lasts,
    isSameSubject: (entry) => isOnAny(entry, on),
    carryOut: async () => ({ budgets: on, ...(await target.execute(call)) }),
  };
}

function audited({ remaining, blockedFor }: Value): AuditedBudget {
  return { remaining, blockedFor };
}

/** Whether an entry changed one of some budgets. Pure. */
export function isOnAny(entry: AuditEntry, budgets: readonly string[]): boolean {
  return entry.what !== "mode" && entry.on.some((one) => budgets.includes(one));
}
