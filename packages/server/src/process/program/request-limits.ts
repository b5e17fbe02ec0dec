/** Takes from the limits that a request meets by rule, for the guard of a route. */
import { STATUS_CODES } from "node:http";
import type { Limit } from "spillway";
import type { RequestLimits } from "spillway/guard";
import { chain, RATE_KINDS } from "spillway/support";
import {
  type Classifier,
  type Descriptor,
  type LimitRequest,
  type LimitResponse,
  RenewedLease,
  RequestError,
  type RuleDecision,
  type Service,
} from "../../service/index.ts";
import { isEnforced, plainRequest, sectionOf } from "../../transports/asking/index.ts";

type Take = RequestLimits["take"];
type Parts = Parameters<Take>[0];
type Found = Awaited<ReturnType<Take>>;

/** Returns the limits of a domain's `http` section, on a service. */
export function requestLimits(
  service: Service,
  { domain, classified }: { readonly domain: string | undefined; readonly classified: Classifier },
): RequestLimits {
  const take = ({ method, target, host, header, network: address }: Parts) => {
    const section = sectionOf(service, domain);
    const normal = plainRequest({ method, target, host, header, address });
    return chain(classified(section.items, normal), (descriptors) => {
      if (descriptors.length === 0) return undefined;
      const asked = { domain: section.domain, descriptors };
      const deciding = service.limit({ ...asked, estimates: true });
      return chain(deciding, (response) => unitsOf(response, { service, asked }));
    });
  };
  return {
    take: (request) => {
      try {
        const found: ReturnType<Take> = take(request);
        return found instanceof Promise ? found.catch(problemOf) : found;
      } catch (error) {
        return problemOf(error);
      }
    },
  };
}

/** Returns the answer to a request that can't be classified. Other errors are thrown. */
function problemOf(error: unknown): Found {
  if (!(error instanceof RequestError)) throw error;
  const { status, code, message: detail } = error;
  const title = STATUS_CODES[status] as string;
  const problem = { type: "about:blank", title, status, detail, code };
  return { problem, headers: Object.entries(error.headers) };
}

type Asked = { readonly service: Service; readonly asked: LimitRequest };

/** Returns what a request has taken; undefined if it meets no limit. */
function unitsOf({ joint, outcomes, lease: held }: LimitResponse, of: Asked): Found {
  if (joint === undefined) return undefined;
  const limits = outcomes.flatMap((one, place) => {
    if (one === undefined || !isEnforced(one)) return [];
    return [{ ...limitOf(one), descriptor: of.asked.descriptors[place] as Descriptor }];
  });
  const settle = (one: object, used: number) =>
    settled((one as (typeof limits)[number]).descriptor, { ...of, used });
  const lease = held && new RenewedLease({ ...of, held });
  const giveBack = givingBack(outcomes, of);
  return { decision: joint, limits, settle, giveBack, end: lease && (() => void lease.end()) };
}

function limitOf({ decidedBy, key = "", decision }: RuleDecision) {
  return { limit: decidedBy.name, config: decidedBy.limit as Limit, key, decision };
}

/**
 * Returns a function that gives back the rates of all outcomes that took units, also those that no
 * client sees.
 *
 * It gives nothing back if a mode is switched or the rules have changed: then a limit that took
 * nothing could receive units.
 */
function givingBack(outcomes: LimitResponse["outcomes"], { service, asked }: Asked) {
  const { rules } = service;
  const isSwitched = service.switches.length > 0;
  return () => {
    if (isSwitched || service.rules !== rules) return undefined;
    const descriptors = asked.descriptors.flatMap(({ entries }, place) => {
      const outcome = outcomes[place];
      if (outcome === undefined || !isReturnable(outcome)) return [];
      return [{ entries, reserved: 1, used: 0 }];
    });
    return service.settle({ domain: asked.domain, descriptors });
  };
}

/** Whether an outcome took units of rates, none of which gives out starts. */
function isReturnable({ rule, role, decision }: RuleDecision): boolean {
  const { ok, degraded, retryAfter } = decision;
  if (!ok || degraded || retryAfter > 0 || role === "off") return false;
  const limits = [rule, ...rule.parents.map((parent) => parent.rule)].map((one) => one.limit);
  const kinds = limits.flatMap((limit) => (limit === "unlimited" ? [] : [limit.kind]));
  const rates = kinds.filter((kind) => kind !== "concurrency");
  // After a give-back, the next request would get the same start as the last.
  return rates.length > 0 && !rates.some((kind) => RATE_KINDS[kind].queues);
}

/** Replaces the unit that was taken for a descriptor by those really used. */
function settled(
  { entries }: Descriptor,
  { service, asked: { domain }, used }: Asked & { readonly used: number },
) {
  return service.settle({ domain, descriptors: [{ entries, reserved: 1, used }] });
}
