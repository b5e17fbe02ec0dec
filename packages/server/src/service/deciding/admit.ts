/**
 * Admits a request or not, where a refused request costs nothing.
 *
 * All budgets are asked for together. Where only shadows and quotas refuse that the request can do
 * without, nothing has been taken, and it is asked again for the others: what is admitted in the end
 * is taken in one step, and what refused has cost nothing.
 */

import type { Decision } from "spillway/core";
import { chain, type Maybe } from "spillway/support";
import type { Target } from "../targets/target.ts";
import { type Take, take } from "./take.ts";

/** How to ask, and what can be done without. */
export type Admission = Take & {
  /** Whether a quota has room whatever is counted. */
  readonly hasFreeQuota: boolean;
  /** Whether a refusal by any target is one that the request passes in spite of. */
  readonly passesAll: boolean;
};

/** The decisions on the budgets of targets, each target's own in order. */
export type Decisions = Map<Target, readonly Decision[]>;

/** Takes what the request can have, and returns what was decided on every target. */
export function admit(targets: readonly Target[], admission: Admission): Maybe<Decisions> {
  const decisions: Decisions = new Map();
  if (targets.length === 0) return decisions;
  const needsQuota =
    !admission.passesAll && !admission.hasFreeQuota && targets.some(({ role }) => role === "quota");
  const round = (active: readonly Target[]): Maybe<Decisions> =>
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
