import { chain, type HeldTimes, type MaybePromise } from "spillway/support";
import type { DecidedCall, LimitRequest, LimitResponse, OnDecided } from "../contracts.ts";
import type { ServiceParts } from "../parts.ts";
import type { Service } from "../service.ts";
import { checkLeases } from "../targets/kinds.ts";
import type { RequestTargets } from "../targets/target.ts";
import { targetsOf } from "../targets/targets.ts";
import { responseTo } from "./respond.ts";
import type { TakeVerb } from "./take.ts";

type DecidingParts = ServiceParts & { readonly onDecided: OnDecided | undefined };

type Decide = (request: LimitRequest) => MaybePromise<LimitResponse>;

/** Creates the verbs that decide requests and report the decisions. */
export function decidingVerbs(parts: DecidingParts): Pick<Service, "limit" | "check" | "acquire"> {
  const { inUse, store, settings, clock, random } = parts;
  const decided = (targets: RequestTargets, verb: TakeVerb, heldTimes?: HeldTimes) =>
    responseTo(targets, { store, verb, settings, now: clock(), random, heldTimes });
  const limit: Decide = (request) => {
    const heldTimes = request.estimates === true ? parts.heldTimes : undefined;
    return decided(targetsOf(inUse.rulebook, request), "limit", heldTimes);
  };
  const check: Decide = (request) => decided(targetsOf(inUse.rulebook, request), "check");
  const acquire: Decide = (request) => {
    const targets = targetsOf(inUse.rulebook, request);
    checkLeases(targets.all);
    return decided(targets, "limit");
  };
  return {
    limit: reported("limit", limit, parts),
    check: reported("check", check, parts),
    acquire: reported("acquire", acquire, parts),
  };
}

function reported(
  verb: DecidedCall["verb"],
  decide: Decide,
  { inUse, settings, onDecided }: DecidingParts,
): Decide {
  if (onDecided === undefined) return decide;
  const isShadow = settings.shadow === true;
  return (request) =>
    chain(decide(request), (response) => {
      onDecided({ verb, request, response, rules: inUse.rulebook.rules, isShadow });
      return response;
    });
}
