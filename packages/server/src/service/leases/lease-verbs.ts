import type { RequestWithLease } from "../contracts.ts";
import type { ServiceParts } from "../parts.ts";
import type { Service } from "../service.ts";
import { targetsOf } from "../targets/targets.ts";
import { changeLease } from "./change-lease.ts";

/** Creates the verbs that change leases. */
export function leaseVerbs({ store, inUse }: ServiceParts): Pick<Service, "renew" | "release"> {
  const change = async (verb: "renew" | "release", request: RequestWithLease) => {
    const { all: targets } = targetsOf(inUse.declared, request);
    const { all: needed } = targetsOf(inUse.rulebook, request);
    return changeLease(targets, { store, verb, lease: request.lease, needed });
  };
  return {
    renew: (request) => change("renew", request),
    release: (request) => change("release", request),
  };
}
