/** Limits for Express, 4 and 5. */

import { isPromised } from "../../../internal/index.ts";
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
  const guard = new Guard<Req>(limiter, route as RouteLimits<Req>, nodeReader);
  const { onLimited, throws } = route;
  const host: Host<{ request: Req; response: Res; next: Next }, void> = {
    decided({ request }, passage) {
      (request as Decided).spillway = passage;
    },
    isGone: ({ response }) => isGone(response),
    leave() {},
    refuse({ request, response, next }, refusal) {
      const otherwise = () => answer(request, response, refusal);
      if (!throws && onLimited === undefined) return otherwise();
      setHeaders(response, refusal.headers);
      if (throws) return next(refusal.error());
      response.statusCode = refusal.status;
      const call = () => onLimited?.(request, response, refusal);
      respondByOwn({ guard, request, response, call, otherwise, thrown: next });
    },
    pass({ response, next }, passage) {
      passOver(response, passage);
      next();
    },
  };
  return (request, response, next) => {
    const { spillway: previous } = request as Decided;
    const entered = enterBy(guard, request, { response, previous });
    const served = serve(host, { request, response, next }, entered);
    if (isPromised(served)) served.catch(next);
  };
}

type Decided = { spillway?: RouteDecision };
type Next = (error?: unknown) => void;
