/** Limits for Express 4 and 5. */

import { isPromised } from "../../../internal/index.ts";
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

declare global {
  namespace Express {
    interface Request {
      /** The decision of the route's limits. If there are several routes, that of the last one. */
      spillway?: RouteDecision;
    }
  }
}

/** The options of a route. */
export type ExpressRoute<Req, Res, L extends Limits = Limits> = RouteLimits<Req, L> & {
  /** Answers a refusal itself. Status and headers are already set. */
  readonly onLimited?: (request: Req, response: Res, refusal: Refusal) => unknown;
  /** Passes refusals to the error handlers as a `RateLimitError`. Default: false. */
  readonly throws?: boolean;
};

/**
 * Creates a middleware that passes requests to the next handlers, or refuses them.
 *
 * Place it after everything that its functions need, such as `express.json()`. A lease ends when
 * the response ends or fails. A request stops here if its client has disconnected.
 *
 * @throws SpillwayError if an option of the route is invalid
 * @example
 * app.get("/search", limited(limiter, { limit: "search" }), search);
 */
export function limited<
  Req extends UncheckedRequest,
  Res extends UncheckedResponse,
  const L extends Limits,
>(
  limiter: AnyLimiter<L>,
  route: ExpressRoute<Req, Res, L>,
): (request: Req, response: Res, next: (error?: unknown) => void) => void {
  const enter = nodeRoute(limiter, route as ExpressRoute<Req, Res>, {
    // What `next` returns is the framework's: a rejection of it must not be passed to `next` again.
    go: ({ next }: Exchange<Req, Res>) => void next(),
    fail: ({ next }, error) => void next(error),
  });
  return (request, response, next) => {
    const served = enter({ request, response, next });
    if (isPromised(served)) served.catch(next);
  };
}

type Exchange<Req, Res> = { request: Req; response: Res; next: (error?: unknown) => void };
