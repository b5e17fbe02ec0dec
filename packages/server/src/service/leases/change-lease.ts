/** Renews and releases the leases of requests. */
import type { Store } from "spillway/core";
import type { LeaseResponse, RequestWithLease } from "../contracts.ts";
import { checkLeases } from "../targets/kinds.ts";
import type { Target } from "../targets/target.ts";
import { leasesOf, ttlOf } from "./request-leases.ts";

type LeaseChange = {
  readonly store: Store;
  readonly verb: "release" | "renew";
  readonly lease: RequestWithLease["lease"];
};

/**
 * Renews or releases a lease on all budgets that its request has taken from.
 *
 * @throws RequestError `wrong-kind`; SpillwayError `unavailable`, when some budgets may have been
 * changed.
 */
export async function changeLease(
  targets: readonly (Target | undefined)[],
  { store, verb, lease: name }: LeaseChange,
): Promise<LeaseResponse> {
  checkLeases(targets);
  const leases = leasesOf(name, targets);
  const answers = await Promise.all(
    leases.map(async ({ budget, lease }) => store.execute({ verb, budgets: [budget], lease })),
  );
  const held = answers.length > 0 && answers.every(Boolean);
  return { held, ttl: held && verb === "renew" ? ttlOf(leases) : undefined };
}
