/** Limits for Hono 4. */

import { isPromised, type MaybePromise } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { HttpResponse, Limits } from "../../../limits/core/index.ts";
import {
  A_RESPONSE,
  type AnyPassage,
  answered,
  asksForSocket,
  type FetchResponse,
  type FrameworkAdapter,
  Guard,
  nobodyWaits,
  type Refusal,
  type RouteDecision,
  type RouteLimits,
  refusalResponse,
  rethrow,
  serve,
  withHeaders,
} from "../../guard/index.ts";
import {
  expose,
  openerOf,
  reader,
  replaceResponse,
  responseOf,
  type UncheckedHonoContext,
} from "./context.ts";
import { deferHeaders } from "./deferred-headers.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The decision of the route's limits. If there are several routes, that of the last one. */
    spillway: RouteDecision;
  }
}

/** The options of a route. */
export type HonoRoute<C, L extends Limits = Limits> = RouteLimits<C, L> & {
  /** Answers a refusal itself. The headers that report what is left are added to its response. */
  readonly onLimited?: (context: C, refusal: Refusal) => HttpResponse | Promise<HttpResponse>;
  /** Throws a `RateLimitError` to `app.onError` instead of answering. Default: false. */
  readonly throws?: boolean;
};

/** A middleware for routes with contexts of any type. */
type Middleware = (
  c: UncheckedHonoContext,
  next: () => Promise<void>,
  // biome-ignore lint/suspicious/noConfusingVoidType: as Hono's own type has it
) => Promise<HttpResponse | void>;

/**
 * Creates a middleware that passes requests to the next handlers, or refuses them.
 *
 * A lease ends when the body has been read, or when the client disconnects. The client's address is
 * known on Bun, on Deno, and on Node with `@hono/node-server`. Elsewhere pass `peer` or a `key`.
 *
 * @throws SpillwayError if an option of the route is invalid
 * @example
 * app.get("/search", limited(limiter, { limit: "search" }), search);
 */
export function limited<C extends UncheckedHonoContext, const L extends Limits>(
  limiter: AnyLimiter<L>,
  route: HonoRoute<C, L>,
): Middleware {
  const guard = new Guard<C>(limiter, route as RouteLimits<C>, reader);
  const { throws, onLimited } = route as HonoRoute<C>;
  const adapter: FrameworkAdapter<HonoExchange<C>, Promise<HttpResponse | undefined>> = {
    decided({ context }, passage) {
      context.set("spillway", passage);
    },
    isGone: ({ context, hasWaited }) => hasWaited && context.req.raw.signal?.aborted === true,
    leave: async () => nobodyWaits(),
    async refuse({ context }, refusal) {
      if (throws) throw refusal.error();
      const otherwise = () => answer(context, refusal);
      if (onLimited === undefined) return otherwise();
      expose(context, refusal.headers);
      const call = () => onLimited(context, refusal) as MaybePromise<FetchResponse>;
      const own = { call, expected: A_RESPONSE, otherwise, thrown: rethrow };
      return withHeaders(await guard.answer(context, own), refusal.headers);
    },
    async pass({ context, next }, passage) {
      await (passage.isWatched ? watch(passage, context, next) : next());
      // If a later route also decides on the request, the later one reports all limits.
      if (context.get("spillway") !== passage) return undefined;
      if (passage.headers.length === 0 || deferHeaders(context, passage.headers)) return undefined;
      replaceResponse(context, withHeaders(responseOf(context), passage.headers));
    },
  };
  // Not async: a promise that is resolved with another takes three turns of the microtask queue.
  return (loose, next) => {
    try {
      const context = loose as C;
      // On Node, the signal is created on first access, which costs more than a limit.
      const signal = guard.waits ? context.req.raw.signal : undefined;
      const entered = guard.enter(context, { signal, previous: context.get("spillway") });
      const exchange = { context, next, hasWaited: isPromised(entered) };
      return serve(adapter, exchange, entered) as Promise<HttpResponse>;
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

type HonoExchange<C> = { context: C; next: () => Promise<void>; hasWaited: boolean };

/** Calls the next handlers, and ends the passage with their response. */
async function watch(
  passage: AnyPassage,
  context: UncheckedHonoContext,
  next: () => Promise<void>,
): Promise<void> {
  const { method, raw } = context.req;
  const asks = asksForSocket(reader.header(context, "upgrade"));
  const opener = asks ? openerOf(context) : undefined;
  const answering = { passage, method, signal: raw.signal, asksForSocket: asks, opener };
  const response = await answered(answering, async () => {
    await next();
    return responseOf(context);
  });
  replaceResponse(context, response as FetchResponse);
}

/** Answers a refusal. Headers that earlier middlewares have set are kept. */
function answer(context: UncheckedHonoContext, refusal: Refusal): FetchResponse {
  const earlier = responseOf(context);
  const response = refusalResponse(reader, { request: context, refusal, earlier });
  replaceResponse(context, response);
  return response;
}
