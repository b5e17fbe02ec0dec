import type { Budget } from "spillway/core";
import type { ReleaseRequest } from "../contracts.ts";
import type { ServiceParts } from "../parts.ts";
import type { Service } from "../service.ts";
import { targetsOf } from "../targets/targets.ts";
import { changeLease } from "./change-lease.ts";

/** Creates the verbs that change leases. */
export function leaseVerbs({
  store,
  inUse,
  heldTimes,
}: ServiceParts): Pick<Service, "renew" | "release"> {
  const change = async (verb: "renew" | "release", request: ReleaseRequest) => {
    const { all: targets } = targetsOf(inUse.declared, request);
    const { all: needed } = targetsOf(inUse.rulebook, request);
    const { lease, heldFor } = request;
    const onEnd = (budget: Budget) => {
      if (heldFor !== undefined) heldTimes.note(budget, heldFor);
    };
    return changeLease(targets, { store, verb, lease, needed, onEnd });
  };
  return {
    renew: (request) => change("renew", request),
    release: (request) => change("release", request),
  };
}
