/** Takes from limits that are found for each request. */

import { chain, type MaybePromise } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import { called } from "./calls.ts";
import type {
  FoundUnits,
  RefusedByProblem,
  RequestLimit,
  RequestLimits,
  RequestParts,
} from "./request-limits.ts";
import type { RouteAsk } from "./route-asks.ts";
import { giveBack, type TakeResult } from "./taking.ts";

/** A request, and whether all names of its host are the same. */
type FoundRequest = RequestParts & { readonly hasOneHost: boolean };

/** Limits by host would count another one than the program answers for. */
const TWO_HOSTS: RefusedByProblem = {
  problem: {
    type: "about:blank",
    title: "Bad Request",
    status: 400,
    detail: "Found another host in Host than in the target or :authority, expected the same",
  },
  headers: [],
};

/** Returns a function that takes for a request, and waits at most `timeout` milliseconds. */
export function takingFor(
  limits: RequestLimits,
  { limiter, timeout }: { readonly limiter: AnyLimiter; readonly timeout: number },
): (request: FoundRequest) => MaybePromise<TakeResult | RefusedByProblem | undefined> {
  const late = (found: TakeResult | RefusedByProblem | undefined) => {
    if (found !== undefined && !isProblem(found)) giveBack(limiter, found);
  };
  const find = (request: FoundRequest) =>
    request.hasOneHost ? chain(limits.take(request), taken) : TWO_HOSTS;
  return (request) => called({ field: "store", timeout, late }, find, request, undefined);
}

/** Whether a request was refused before any limit was asked. */
export function isProblem(found: TakeResult | RefusedByProblem): found is RefusedByProblem {
  return "problem" in found;
}

function taken(
  found: FoundUnits | RefusedByProblem | undefined,
): TakeResult | RefusedByProblem | undefined {
  if (found === undefined || "problem" in found) return found;
  const { decision, limits, settle, giveBack, end } = found;
  const asks = limits.map(askOf);
  const decisions = limits.map((one) => one.decision);
  const refused = limits.filter((one) => !one.decision.ok).map(({ limit }) => limit);
  const settleAsk = (ask: RouteAsk, used: number) =>
    settle(limits[asks.indexOf(ask)] as RequestLimit, used);
  const own = { settle: settleAsk, giveBack, end };
  return { asks, decision, decisions, refused, lease: undefined, own };
}

function askOf({ limit, key, config }: RequestLimit): RouteAsk {
  return { limit, key, count: 1, config, reserve: false };
}
