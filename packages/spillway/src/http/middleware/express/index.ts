/** Limits for Express, 4 and 5. */

import type { RateLimiter } from "../../../limiter/index.ts";
import type { Limits, Mode } from "../../../limits/core/index.ts";
import { closeSignal } from "../../../shedding/index.ts";
import {
  type Answer,
  type AnyLimiter,
  answer,
  chain,
  Guard,
  isGone,
  isPromised,
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
  M extends Mode,
>(
  limiter: RateLimiter<L, M>,
  route: ExpressRoute<Req, Res, L>,
): (request: Req, response: Res, next: (error?: unknown) => void) => void {
  const guard = new Guard<Req>(
    limiter as unknown as AnyLimiter,
    route as RouteLimits<Req>,
    nodeReader,
  );
  return (request, response, next) => {
    const on = request as { spillway?: RouteDecision };
    const signal = guard.waits ? closeSignal(response) : undefined;
    const proceed = (passage: Passage<Req>) => {
      on.spillway = passage;
      if (isGone(response)) {
        passage.over(undefined);
        return;
      }
      const { refusal, headers } = passage;
      if (refusal !== undefined) {
        refuse({ guard, request, response, next, route }, { refusal, headers });
      } else {
        setHeaders(response, headers);
        watch(response, passage);
        next();
      }
    };
    const proceeding = chain(guard.enter(request, { signal, previous: on.spillway }), proceed);
    if (isPromised(proceeding)) proceeding.catch(next);
  };
}

type Exchange<Req, Res> = {
  readonly guard: Guard<Req>;
  readonly request: Req;
  readonly response: Res;
  readonly next: (error?: unknown) => void;
  readonly route: ExpressRoute<Req, Res>;
};

function refuse<Req extends LooseRequest, Res extends LooseResponse>(
  { guard, request, response, next, route }: Exchange<Req, Res>,
  { refusal, headers }: Answer,
): void {
  const { throws, onLimited } = route;
  if (!throws && onLimited === undefined) {
    answer(request, response, { refusal, headers });
    return;
  }
  setHeaders(response, headers);
  if (throws) next(refusal.error());
  else if (onLimited !== undefined) {
    response.statusCode = refusal.status;
    const call = () => onLimited(request, response, refusal);
    const otherwise = () => answer(request, response, { refusal, headers: [] });
    respondByOwn({ guard, request, response, call, otherwise, thrown: next });
  }
}
