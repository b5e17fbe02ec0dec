/** Limits for handlers of `node:http` and `node:http2`. */
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  answer,
  enterBy,
  Guard,
  type Host,
  isGone,
  type LooseRequest,
  type LooseResponse,
  nodeReader,
  passOver,
  type Refusal,
  type RouteDecision,
  type RouteLimits,
  respondByOwn,
  serve,
  setHeaders,
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
  const guard = new Guard<Req>(limiter, route as RouteLimits<Req>, nodeReader);
  const { onLimited } = route;
  const host: Host<{ request: Req; response: Res }, unknown> = {
    decided({ request }, passage) {
      (request as Decided).spillway = passage;
    },
    isGone: ({ response }) => isGone(response),
    leave: () => undefined,
    refuse({ request, response }, refusal) {
      const otherwise = () => answer(request, response, refusal);
      if (onLimited === undefined) return otherwise();
      setHeaders(response, refusal.headers);
      response.statusCode = refusal.status;
      const call = () => onLimited(request, response, refusal);
      return respondByOwn({ guard, request, response, call, otherwise });
    },
    pass({ request, response }, passage) {
      passOver(response, passage);
      return handler(request as Req & Limited, response);
    },
  };
  return (request, response) => {
    const { spillway: previous } = request as Decided;
    return serve(host, { request, response }, enterBy(guard, request, { response, previous }));
  };
}

type Decided = { spillway?: RouteDecision };
