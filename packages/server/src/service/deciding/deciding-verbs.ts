import { chain, type Maybe } from "spillway/support";
import type { Decided, LimitRequest, LimitResponse, OnDecided } from "../contracts.ts";
import type { ServiceParts } from "../parts.ts";
import type { Service } from "../service.ts";
import { checkLeases } from "../targets/kinds.ts";
import type { Targets } from "../targets/target.ts";
import { targetsOf } from "../targets/targets.ts";
import { responseTo } from "./respond.ts";
import type { Taking } from "./take.ts";

type Parts = ServiceParts & { readonly onDecided: OnDecided | undefined };

type Decide = (request: LimitRequest) => Maybe<LimitResponse>;

/** Creates the verbs that decide requests and report the decisions. */
export function decidingVerbs(parts: Parts): Pick<Service, "limit" | "check" | "acquire"> {
  const { inUse, store, settings, clock, random } = parts;
  const decided = (targets: Targets, verb: Taking) =>
    responseTo(targets, { store, verb, settings, now: clock(), random });
  const limit: Decide = (request) => decided(targetsOf(inUse.rulebook, request), "limit");
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
  verb: Decided["verb"],
  decide: Decide,
  { inUse, settings, onDecided }: Parts,
): Decide {
  if (onDecided === undefined) return decide;
  const isShadow = settings.shadow === true;
  return (request) =>
    chain(decide(request), (response) => {
      onDecided({ verb, request, response, rules: inUse.rulebook.rules, isShadow });
      return response;
    });
}
