/** Limits for handlers of `node:http` and `node:http2`. */
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  type LooseRequest,
  type LooseResponse,
  nodeRoute,
  type Refusal,
  type RouteDecision,
  type RouteLimits,
} from "../../guard/index.ts";

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
>(
  limiter: AnyLimiter<L>,
  route: NodeRoute<Req, Res, L>,
  handler: (request: Req & Limited, response: Res) => unknown,
): (request: Req, response: Res) => unknown {
  const enter = nodeRoute(limiter, route as NodeRoute<Req, Res>, {
    go: ({ request, response }: { request: Req; response: Res }) =>
      handler(request as Req & Limited, response),
  });
  return (request, response) => enter({ request, response });
}
