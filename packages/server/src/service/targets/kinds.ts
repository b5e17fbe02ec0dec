/** Checks that the limits of descriptors are of the kind that a verb needs. */
import { RequestError } from "../request-error.ts";
import type { Target, TargetBudget } from "./target.ts";

/** Whether a budget counts units in flight. */
export function isLeased({ plan }: TargetBudget): boolean {
  return plan.family.name === "leases";
}

/** Whether a target has concurrency limits. */
export function hasLeases({ budgets }: Target): boolean {
  return budgets.some(isLeased);
}

/**
 * Refuses requests that meet limits, but no concurrency limit. A request that meets no limit at all
 * holds nothing, for example because its rules were removed while a program runs.
 *
 * @throws RequestError `wrong-kind`
 */
export function checkLeases(targets: readonly (Target | undefined)[]): void {
  const limited = targets.filter((target) => target !== undefined && target.budgets.length > 0);
  if (limited.length === 0 || limited.some((target) => target && hasLeases(target))) return;
  const kinds = [...new Set(limited.map((target) => target?.budgets[0]?.plan.kind))].join(", ");
  throw wrongKind(
    `Found only limits of the kind ${kinds}, expected a concurrency limit for at least one ` +
      "descriptor; use /v1/limit for other kinds",
  );
}

/**
 * Refuses descriptors whose only limits are concurrency limits.
 *
 * @throws RequestError `wrong-kind`
 */
export function checkRates(targets: readonly (Target | undefined)[]): void {
  const place = targets.findIndex(
    (target) => target?.budgets.length && target.budgets.every(isLeased),
  );
  if (place < 0) return;
  throw wrongKind(
    `Found a concurrency limit for descriptors[${place}], expected a rate; use /v1/release to ` +
      "give back units of a concurrency limit",
  );
}

/** Whether units of a limit can be taken ahead of time: only if its rule sets a bound. */
export function isReservable({ plan }: Pick<TargetBudget, "plan">): boolean {
  return plan.reservable && Number.isFinite(plan.maxReserved);
}

/**
 * Refuses reservations under rules without a bound, because any caller could put the budget into
 * debt for years.
 *
 * @throws RequestError `no-reservations`
 */
export function checkReservations(targets: readonly (Target | undefined)[]): void {
  const place = targets.findIndex((target) => {
    if (target === undefined || !target.reserve) return false;
    const [own] = target.budgets;
    return own !== undefined && !isReservable(own);
  });
  if (place < 0) return;
  const detail =
    `Found reserve: true for descriptors[${place}], expected a rule with max_reserved, which ` +
    "bounds what is taken ahead of time";
  throw new RequestError({ status: 400, code: "no-reservations", detail });
}

function wrongKind(detail: string): RequestError {
  return new RequestError({ status: 400, code: "wrong-kind", detail });
}
