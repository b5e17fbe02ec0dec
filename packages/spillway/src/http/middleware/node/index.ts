/** Limits for handlers of `node:http` and `node:http2`. */

import type { RateLimiter } from "../../../limiter/index.ts";
import type { Limits, Mode } from "../../../limits/core/index.ts";
import { closeSignal } from "../../../shedding/index.ts";
import {
  type AnyLimiter,
  answer,
  chain,
  Guard,
  isGone,
  type LooseRequest,
  type LooseResponse,
  nodeReader,
  type Passage,
  type Refusal,
  type RouteDecision,
  type RouteLimits,
  respondByOwn,
  setHeaders,
  watch,
} from "../../guard/index.ts";

export type { LooseRequest, LooseResponse } from "../../guard/index.ts";

/** A request that has passed: what its limits said is on it. */
export type Limited = { readonly spillway: RouteDecision };

/** What a route can say of its limits. */
export type NodeRoute<Req, Res, L extends Limits = Limits> = RouteLimits<Req, L> & {
  /** Answers a refusal instead; status and headers are set already. */
  readonly onLimited?: (request: Req, response: Res, refusal: Refusal) => unknown;
};

/**
 * Puts limits in front of a handler: what is refused is answered, and does not reach it.
 *
 * A lease ends with the response, however that ends; whose client has gone before the handler is
 * reached does not reach it. What the handler throws is thrown on.
 *
 * @throws SpillwayError where the route says what it can't
 * @example
 * createServer(limited(limiter, { limit: "search" }, (request, response) => response.end("found")));
 */
export function limited<
  Req extends LooseRequest,
  Res extends LooseResponse,
  const L extends Limits,
  M extends Mode,
>(
  limiter: RateLimiter<L, M>,
  route: NodeRoute<Req, Res, L>,
  handler: (request: Req & Limited, response: Res) => unknown,
): (request: Req, response: Res) => unknown {
  const guard = new Guard<Req>(
    limiter as unknown as AnyLimiter,
    route as RouteLimits<Req>,
    nodeReader,
  );
  const proceed = (request: Req, response: Res, passage: Passage<Req>) => {
    if (isGone(response)) return passage.over(undefined);
    const { refusal, headers } = passage;
    const { onLimited } = route;
    if (refusal !== undefined && onLimited === undefined) {
      return answer(request, response, { refusal, headers });
    }
    setHeaders(response, headers);
    if (refusal === undefined) return run(request, response, passage);
    response.statusCode = refusal.status;
    const call = () => onLimited?.(request, response, refusal);
    const otherwise = () => answer(request, response, { refusal, headers: [] });
    return respondByOwn({ guard, request, response, call, otherwise });
  };
  const run = (request: Req, response: Res, passage: Passage<Req>) => {
    watch(response, passage);
    return handler(request as Req & Limited, response);
  };
  return (request, response) => {
    const previous = (request as Partial<Limited>).spillway;
    const signal = guard.waits ? closeSignal(response) : undefined;
    return chain(guard.enter(request, { signal, previous }), (passage) => {
      (request as { spillway?: RouteDecision }).spillway = passage;
      return proceed(request, response, passage);
    });
  };
}
