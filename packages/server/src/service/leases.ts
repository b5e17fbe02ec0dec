/** Acquiring, renewing and releasing what requests hold of concurrency limits. */
import type { Store } from "spillway/core";
import { RequestError } from "../request-error.ts";
import type { LeaseRequest, LeaseResponse } from "./limit-request.ts";
import { hasLeases, leasesOf, ttlOf } from "./request-leases.ts";
import type { Target } from "./targets.ts";

type Change = {
  readonly store: Store;
  readonly verb: "release" | "renew";
  readonly lease: LeaseRequest["lease"];
};

/**
 * Renews or releases a lease on all budgets that its request has taken from.
 *
 * @throws RequestError `wrong-kind`; SpillwayError `unavailable`, where some may be done.
 */
export async function changeLease(
  targets: readonly (Target | undefined)[],
  { store, verb, lease: name }: Change,
): Promise<LeaseResponse> {
  checkLeases(targets);
  const leases = leasesOf(name, targets);
  const answers = await Promise.all(
    leases.map(async ({ budget, lease }) => store.execute({ verb, budgets: [budget], lease })),
  );
  const held = answers.length > 0 && answers.every(Boolean);
  return { held, ttl: held && verb === "renew" ? ttlOf(leases) : undefined };
}

/**
 * Refuses requests that meet limits and no concurrency limit. What meets no limit at all holds
 * nothing, as when rules were taken away while a program runs.
 *
 * @throws RequestError `wrong-kind`
 */
export function checkLeases(targets: readonly (Target | undefined)[]): void {
  const limited = targets.filter((target) => target !== undefined && target.budgets.length > 0);
  if (limited.length === 0 || limited.some((target) => target && hasLeases(target))) return;
  const kinds = [...new Set(limited.map((target) => target?.budgets[0]?.plan.kind))].join(", ");
  const detail =
    `Found only limits of the kind ${kinds}, expected a concurrency limit among those that the ` +
    "descriptors lead to; /v1/limit takes from others";
  throw new RequestError({ status: 400, code: "wrong-kind", detail });
}
