/** Renews and releases the leases of requests. */
import { type Budget, budgetId, type Store } from "spillway/core";
import type { LeaseResponse, RequestWithLease } from "../contracts.ts";
import { checkLeases } from "../targets/kinds.ts";
import type { Target } from "../targets/target.ts";
import { type LeaseOn, leasesOf, ttlOf } from "./request-leases.ts";

type LeaseChange = {
  readonly store: Store;
  readonly verb: "release" | "renew";
  readonly lease: RequestWithLease["lease"];
  /** The targets whose limits are on now. What was granted while others were off is not missed. */
  readonly needed: readonly (Target | undefined)[];
  /** Called for each budget to which units were released. */
  readonly onEnd: (budget: Budget) => void;
};

/**
 * Renews or releases a lease on all budgets that its request has taken from.
 *
 * @throws RequestError `wrong-kind`; SpillwayError `unavailable`, when some budgets may have been
 * changed.
 */
export async function changeLease(
  targets: readonly (Target | undefined)[],
  { store, verb, lease: name, needed, onEnd }: LeaseChange,
): Promise<LeaseResponse> {
  checkLeases(targets);
  const leases = leasesOf(name, targets);
  const answers = await Promise.all(
    leases.map(async ({ budget, lease }) => store.execute({ verb, budgets: [budget], lease })),
  );
  if (verb === "release")
    for (const [at, one] of leases.entries()) if (answers[at]) onEnd(one.budget);
  const on = new Set(leasesOf(name, needed).map(({ budget }) => budgetId(budget)));
  const isNeeded = ({ budget }: LeaseOn) => on.size === 0 || on.has(budgetId(budget));
  const held = leases.length > 0 && leases.every((one, at) => answers[at] || !isNeeded(one));
  return { held, ttl: held && verb === "renew" ? ttlOf(leases) : undefined };
}
