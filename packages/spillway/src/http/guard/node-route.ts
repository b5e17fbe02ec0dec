/** The adapters whose handlers receive a request and a response of `node:http` or `node:http2`. */
import type { MaybePromise } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import { Guard } from "./guard.ts";
import type { NodeRequest, NodeResponse } from "./node-response.ts";
import { answer, applyPassage, enterBy, isGone, nodeReader, setHeaders } from "./node-response.ts";
import { respondByOwn } from "./own-response.ts";
import type { Refusal } from "./refusal.ts";
import type { DecidedRequest, RouteLimits } from "./route.ts";
import { type FrameworkAdapter, serve } from "./serve.ts";

/** A route, and the function that answers a refusal instead of the guard. */
type OwnRoute<Req, Res> = RouteLimits<Req> & {
  readonly onLimited?: ((request: Req, response: Res, refusal: Refusal) => unknown) | undefined;
  readonly throws?: boolean | undefined;
};

/** How a framework continues: with an admitted request, and with an error if it can handle one. */
type NodeAdapter<X> = {
  readonly go: (exchange: X) => unknown;
  readonly fail?: (exchange: X, error: unknown) => void;
};

/**
 * Returns a function that passes on an admitted request, and answers a refused one.
 *
 * @throws SpillwayError if an option of the route is invalid
 */
export function nodeRoute<
  Req extends NodeRequest,
  Res extends NodeResponse,
  X extends { readonly request: Req; readonly response: Res },
>(limiter: AnyLimiter, route: OwnRoute<Req, Res>, { go, fail }: NodeAdapter<X>) {
  const guard = new Guard<Req>(limiter, route, nodeReader);
  const { onLimited } = route;
  // Without error handlers there is nothing to throw to: a refusal is answered then.
  const throwTo = route.throws ? fail : undefined;
  const adapter: FrameworkAdapter<X, unknown> = {
    decided({ request }, passage) {
      (request as DecidedRequest).spillway = passage;
    },
    isGone: ({ response }) => isGone(response),
    leave: () => undefined,
    refuse(exchange, refusal) {
      const { request, response } = exchange;
      const otherwise = () => answer(request, response, refusal);
      if (throwTo === undefined && onLimited === undefined) return otherwise();
      setHeaders(response, refusal.headers);
      if (throwTo !== undefined) return throwTo(exchange, refusal.error());
      response.statusCode = refusal.status;
      const call = () => onLimited?.(request, response, refusal);
      const thrown = fail && ((error: unknown) => fail(exchange, error));
      return respondByOwn({ guard, request, response, call, otherwise, thrown });
    },
    pass(exchange, passage) {
      applyPassage(exchange.response, passage);
      return go(exchange);
    },
  };
  return (exchange: X): MaybePromise<unknown> => {
    const { request, response } = exchange;
    const { spillway: previous } = request as DecidedRequest;
    return serve(adapter, exchange, enterBy(guard, request, { response, previous }));
  };
}
