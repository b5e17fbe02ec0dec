/** Limits for Express, 4 and 5. */

import { isPromised } from "../../../internal/index.ts";
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

declare global {
  namespace Express {
    interface Request {
      /** What the limits of the route have said; of the last one where there are several. */
      spillway?: RouteDecision;
    }
  }
}

/** What a route can say of its limits. */
export type ExpressRoute<Req, Res, L extends Limits = Limits> = RouteLimits<Req, L> & {
  /** Answers a refusal instead; status and headers are set already. */
  readonly onLimited?: (request: Req, response: Res, refusal: Refusal) => unknown;
  /** Passes a refusal on to the error handlers, as a `RateLimitError`. Default: false. */
  readonly throws?: boolean;
};

/**
 * Makes a middleware that lets requests pass to the handlers after it, or answers them itself.
 *
 * Put it after what its functions need, such as `express.json()`. A lease ends with the response,
 * however that ends; whose client has gone goes no further.
 *
 * @throws SpillwayError where the route says what it can't
 * @example
 * app.get("/search", limited(limiter, { limit: "search" }), search);
 */
export function limited<
  Req extends LooseRequest,
  Res extends LooseResponse,
  const L extends Limits,
>(
  limiter: AnyLimiter<L>,
  route: ExpressRoute<Req, Res, L>,
): (request: Req, response: Res, next: (error?: unknown) => void) => void {
  const enter = nodeRoute(limiter, route as ExpressRoute<Req, Res>, {
    go: ({ next }: Exchange<Req, Res>) => next(),
    fail: ({ next }, error) => next(error),
  });
  return (request, response, next) => {
    const served = enter({ request, response, next });
    if (isPromised(served)) served.catch(next);
  };
}

type Exchange<Req, Res> = { request: Req; response: Res; next: (error?: unknown) => void };
