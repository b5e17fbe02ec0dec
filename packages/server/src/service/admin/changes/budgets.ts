/** The part that changes of budgets have in common. */
import type { Value } from "spillway";
import type { KeyRequest } from "../../contracts.ts";
import { RequestError } from "../../request-error.ts";
import type { AuditEntry } from "../audit.ts";
import { budgetsNamed } from "../budget-names.ts";
import type { AdminState, BudgetCall, ChangeBody, ChangePlan } from "../contracts.ts";

export type BudgetBody = ChangeBody & KeyRequest;

/** A budget's state in the audit log. */
export type AuditedBudget = {
  /** Whole units left; undefined if they follow from what was used. */
  readonly remaining?: number | undefined;
  /** The most units at once; undefined if there is no limit. */
  readonly capacity?: number | undefined;
  readonly blockedFor: number;
  /** How long an override lasts, in milliseconds. */
  readonly overriddenFor?: number | undefined;
};

type BudgetChange = {
  readonly call: BudgetCall;
  /** Returns the state that the change leads to. */
  readonly leadsTo: (before: AuditedBudget, place: number) => AuditedBudget;
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
  const { values } = await target.execute({ verb: "ownValue", request: { domain, descriptors } });
  const before = values.map(audited);
  return {
    on,
    before,
    after: before.map(leadsTo),
    lasts,
    isSameSubject: (entry) => isOnAny(entry, on),
    carryOut: async () => ({ budgets: on, ...(await target.execute(call)) }),
  };
}

/** @throws RequestError `unknown-limit` */
function audited(value: Value | undefined, place: number): AuditedBudget {
  if (value === undefined) throw isReplaced(place);
  const { remaining, capacity, blockedFor, overriddenFor } = value;
  return { remaining, capacity, blockedFor, overriddenFor };
}

function isReplaced(place: number): RequestError {
  const detail =
    `Found descriptors[${place}], whose limit is replaced by that of another descriptor, ` +
    "expected one that applies; name it in a call of its own";
  return new RequestError({ status: 404, code: "unknown-limit", detail });
}

/** Whether an entry changed one of some budgets. Pure. */
export function isOnAny(entry: AuditEntry, budgets: readonly string[]): boolean {
  return entry.what !== "mode" && entry.on.some((one) => budgets.includes(one));
}
