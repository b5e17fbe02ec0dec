/** Limits for Hono 4. */

import { isPromised, type Maybe } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { HttpResponse, Limits } from "../../../limits/core/index.ts";
import {
  A_RESPONSE,
  type AnyPassage,
  answered,
  asksForSocket,
  type FetchResponse,
  Guard,
  type Host,
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
  type LooseContext,
  openerOf,
  reader,
  replaceResponse,
  responseOf,
} from "./context.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** What the limits of the route have said; of the last one where there are several. */
    spillway: RouteDecision;
  }
}

/** What a route can say of its limits. */
export type HonoRoute<C, L extends Limits = Limits> = RouteLimits<C, L> & {
  /** Answers a refusal instead; the headers that report what is left are added. */
  readonly onLimited?: (context: C, refusal: Refusal) => HttpResponse | Promise<HttpResponse>;
  /** Throws a `RateLimitError` for `app.onError` instead of answering. Default: false. */
  readonly throws?: boolean;
};

/** A middleware of any route, whatever its context is like. */
type Middleware = (
  c: LooseContext,
  next: () => Promise<void>,
  // biome-ignore lint/suspicious/noConfusingVoidType: as Hono's own type has it
) => Promise<HttpResponse | void>;

/**
 * Makes a middleware that lets requests pass to the handlers after it, or answers them itself.
 *
 * A lease ends when the body has been read, or when the client goes away. The client's address is
 * known on Node with `@hono/node-server`, on Bun and on Deno; elsewhere pass `peer`, or a `key`.
 *
 * @throws SpillwayError where the route says what it can't
 * @example
 * app.get("/search", limited(limiter, { limit: "search" }), search);
 */
export function limited<C extends LooseContext, const L extends Limits>(
  limiter: AnyLimiter<L>,
  route: HonoRoute<C, L>,
): Middleware {
  const guard = new Guard<C>(limiter, route as RouteLimits<C>, reader);
  const { throws, onLimited } = route as HonoRoute<C>;
  const host: Host<Exchange<C>, Promise<HttpResponse | undefined>> = {
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
      const call = () => onLimited(context, refusal) as Maybe<FetchResponse>;
      const own = { call, expected: A_RESPONSE, otherwise, thrown: rethrow };
      return withHeaders(await guard.answer(context, own), refusal.headers);
    },
    async pass({ context, next }, passage) {
      await (passage.isWatched ? watch(passage, context, next) : next());
      // A route nearer to the handler reports what is left of all limits.
      if (context.get("spillway") !== passage) return undefined;
      // `env.outgoing.setHeader` would cost half on Node, but a handler may call `app.request` with its
      // own `env`: the headers of that answer would be sent with another.
      replaceResponse(context, withHeaders(responseOf(context), passage.headers));
    },
  };
  return async (loose, next) => {
    const context = loose as C;
    // On Node, a signal is made when somebody first looks at it, and costs more than a limit.
    const signal = guard.waits ? context.req.raw.signal : undefined;
    const entered = guard.enter(context, { signal, previous: context.get("spillway") });
    return serve(
      host,
      { context, next, hasWaited: isPromised(entered) },
      entered,
    ) as Promise<HttpResponse>;
  };
}

type Exchange<C> = { context: C; next: () => Promise<void>; hasWaited: boolean };

/** Has the handlers answer, and the passage end with what they answer. */
async function watch(
  passage: AnyPassage,
  context: LooseContext,
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

/** What earlier middlewares have set is sent with it. */
function answer(context: LooseContext, refusal: Refusal): FetchResponse {
  const earlier = responseOf(context);
  const response = refusalResponse(reader, { request: context, refusal, earlier });
  replaceResponse(context, response);
  return response;
}
