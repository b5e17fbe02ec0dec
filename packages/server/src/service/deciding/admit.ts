/**
 * Decides whether to admit a request. A refused request costs nothing.
 *
 * All budgets are asked together. If only shadows and quotas that are not needed refuse, the
 * request is tried again without them, since nothing was taken. So all units of an admitted request
 * are taken in one step.
 */

import type { Decision } from "spillway/core";
import { chain, type MaybePromise } from "spillway/support";
import type { Target } from "../targets/target.ts";
import { type TakeOptions, take } from "./take.ts";

/** How to ask, and which refusals can be ignored. */
export type AdmitOptions = TakeOptions & {
  /** Whether some quota always has room. */
  readonly hasFreeQuota: boolean;
  /** Whether the request passes in spite of any refusal. */
  readonly passesAll: boolean;
};

/** The decisions on each target's budgets, in the order of the budgets. */
export type TargetDecisions = Map<Target, readonly Decision[]>;

/**
 * Takes units for the request, without budgets that refuse but need not admit it, and returns the
 * decisions on every target.
 */
export function admit(
  targets: readonly Target[],
  admission: AdmitOptions,
): MaybePromise<TargetDecisions> {
  const decisions: TargetDecisions = new Map();
  if (targets.length === 0) return decisions;
  const needsQuota =
    !admission.passesAll && !admission.hasFreeQuota && targets.some(({ role }) => role === "quota");
  const round = (active: readonly Target[]): MaybePromise<TargetDecisions> =>
    chain(take(active, admission), (answers) => {
      for (const [index, target] of active.entries()) {
        decisions.set(target, answers[index] as readonly Decision[]);
      }
      const rest = active.filter((target) => isAdmitted(decisions.get(target)));
      if (rest.length === active.length) admission.leases?.taken(active, decisions);
      if (rest.length === active.length || rest.length === 0) return decisions;
      const refused = active.filter((target) => !rest.includes(target));
      if (!admission.passesAll && refused.some(({ role }) => role === "must")) return decisions;
      if (needsQuota && !rest.some(({ role }) => role === "quota")) return decisions;
      return round(rest);
    });
  return round(targets);
}

function isAdmitted(decisions: readonly Decision[] | undefined): boolean {
  return decisions?.every(({ ok }) => ok) ?? true;
}
