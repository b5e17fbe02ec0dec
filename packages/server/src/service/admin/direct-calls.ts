/** Changes by the older calls of the service's own port, which the audit log has as well. */
import type { Rules } from "../../rules/index.ts";
import type { KeyRequest } from "../contracts.ts";
import { RequestError } from "../request-error.ts";
import type { AuditDraft } from "./audit.ts";
import { budgetsNamed } from "./budget-names.ts";
import type { ChangeName } from "./changes/index.ts";
import { describeTry } from "./tries.ts";

/** A call such as `/v1/block` that is about to be carried out. Plain data. */
export type DirectCall = {
  readonly what: Extract<ChangeName, "reset" | "block" | "unblock">;
  readonly body: KeyRequest & { readonly for?: number };
};

/** Writes a call into the audit log. @throws RequestError `not-audited` */
export type NoteDirect = (call: DirectCall) => Promise<void>;

/** Returns its entry. The state before is not read, because programs make such calls often. */
export function draftOfDirect({ what, body }: DirectCall, rules: Rules, now: number): AuditDraft {
  const on = body.descriptors.flatMap((one) => namesOf(rules, { ...body, descriptors: [one] }));
  const until = body.for === undefined ? undefined : new Date(now + body.for).toISOString();
  return { by: `change token, /v1/${what}`, what, on, outcome: "accepted", until };
}

/** These calls also accept descriptors without a limit. */
function namesOf(rules: Rules, request: KeyRequest): readonly string[] {
  try {
    return budgetsNamed(rules, request).map(({ budget }) => budget);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return describeTry(request).on;
  }
}
