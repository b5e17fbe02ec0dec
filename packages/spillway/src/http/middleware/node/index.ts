/** Limits for handlers of `node:http` and `node:http2`. */
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  nodeRoute,
  type Refusal,
  type RouteDecision,
  type RouteLimits,
  type UncheckedRequest,
  type UncheckedResponse,
} from "../../guard/index.ts";

/** An admitted request, with the decision of its limits. */
export type Limited = { readonly spillway: RouteDecision };

/** The options of a route. */
export type NodeRoute<Req, Res, L extends Limits = Limits> = RouteLimits<Req, L> & {
  /** Answers a refusal itself. Status and headers are already set. */
  readonly onLimited?: (request: Req, response: Res, refusal: Refusal) => unknown;
};

/**
 * Puts limits in front of a handler. Refused requests are answered and never reach the handler.
 *
 * A lease ends when the response ends or fails. A request never reaches the handler if its
 * client has disconnected before. Errors of the handler are rethrown.
 *
 * @throws SpillwayError if an option of the route is invalid
 * @example
 * const route = { limit: "search" } as const;
 * createServer(limited(limiter, route, (request, response) => response.end("found")));
 */
export function limited<
  Req extends UncheckedRequest,
  Res extends UncheckedResponse,
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
