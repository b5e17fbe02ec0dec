/**
 * Limits for any `(Request) => Response`: Next route handlers, Workers, Bun and Deno.
 *
 * For SvelteKit, pass the request of an event.
 */

import type { MaybePromise, StopSignal } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { HttpResponse, Limits } from "../../../limits/core/index.ts";
import {
  A_RESPONSE,
  type AnyPassage,
  answered,
  asksForSocket,
  bunOpener,
  bunServerIn,
  type DecidedRequest,
  type FetchResponse,
  type FrameworkAdapter,
  Guard,
  nobodyWaits,
  type Refusal,
  type RequestReader,
  type RouteDecision,
  type RouteLimits,
  refusalResponse,
  serve,
  withHeaders,
} from "../../guard/index.ts";

/** The used part of a `Request`. */
type FetchRequest = {
  readonly method: string;
  readonly url?: string;
  readonly headers: { get(name: string): string | null };
  readonly signal?: StopSignal;
};

/** An admitted request, with the decision of its limits. */
export type Limited = { readonly spillway: RouteDecision };

/** The options of a route. */
export type FetchRoute<
  Req,
  Rest extends readonly unknown[],
  L extends Limits = Limits,
> = RouteLimits<Req, L, Rest> & {
  /** Answers a refusal itself. The headers that report what is left are added to its response. */
  readonly onLimited?: (request: Req, refusal: Refusal) => HttpResponse | Promise<HttpResponse>;
  /** Rejects with a `RateLimitError` instead of answering. Default: false. */
  readonly throws?: boolean;
};

/** A `Request` does not contain the peer address, so `peer` has to supply it. */
const reader: RequestReader<FetchRequest> = {
  method: ({ method }) => method,
  header: ({ headers }, name) => headers.get(name) ?? undefined,
  target: ({ url }) => url,
  peer: () => undefined,
  isGone: ({ signal }) => signal?.aborted === true,
};

/**
 * Puts limits in front of a handler. Refused requests are answered and never reach the handler.
 *
 * All further arguments are passed to the handler. A lease ends when the body has been read, when
 * the client disconnects, or when the handler throws. Without `peer` no client's address is known,
 * so that each limit needs a `key`.
 *
 * All failures are rejections, also those of a request that can't be read.
 *
 * @throws SpillwayError if an option of the route is invalid
 * @example
 * const found = () => new Response("found");
 * export const GET = limited(limiter, { limit: "search", key: "all" }, found);
 */
export function limited<
  Req extends FetchRequest,
  Rest extends readonly unknown[],
  const L extends Limits,
  A extends HttpResponse | undefined,
>(
  limiter: AnyLimiter<L>,
  route: FetchRoute<Req, Rest, L>,
  handler: (request: Req & Limited, ...rest: Rest) => A | Promise<A>,
): (request: Req, ...rest: Rest) => Promise<HttpResponse | Extract<A, undefined>> {
  // The additional arguments of `peer` are passed with each request.
  const limits = route as RouteLimits<Req, Limits, never> as RouteLimits<Req>;
  const guard = new Guard<Req>(limiter, limits, reader);
  const { peer, throws, onLimited } = route;
  const adapter: FrameworkAdapter<{ request: Req; rest: Rest }, Promise<MaybeAnswer>> = {
    decided({ request }, passage) {
      (request as DecidedRequest).spillway = passage;
    },
    isGone: ({ request }) => request.signal?.aborted === true,
    leave: async () => nobodyWaits(),
    async refuse({ request }, refusal) {
      if (throws) throw refusal.error();
      const otherwise = () => refusalResponse(reader, { request, refusal });
      if (onLimited === undefined) return otherwise();
      const call = () => onLimited(request, refusal) as MaybePromise<FetchResponse>;
      const own = { call, expected: A_RESPONSE, otherwise };
      return withHeaders(await guard.answer(request, own), refusal.headers);
    },
    async pass({ request, rest }, passage) {
      const call = () => handler(request as Req & Limited, ...rest) as MaybePromise<MaybeAnswer>;
      const response = await (passage.isWatched ? watch(passage, { request, rest }, call) : call());
      return response && reporting(response, passage, request as DecidedRequest);
    },
  };
  return async (request, ...rest) => {
    const entered = guard.enter(request, {
      signal: request.signal,
      previous: (request as DecidedRequest).spillway,
      ...(peer && { peer: () => peer(request, ...rest) }),
    });
    // A handler that returns undefined has opened a WebSocket on Bun.
    return serve(adapter, { request, rest }, entered) as Promise<HttpResponse>;
  };
}

/** Undefined if a WebSocket was opened on Bun. */
type MaybeAnswer = FetchResponse | undefined;

/** Adds headers for all limits, unless a route nearer to the handler has done so. */
function reporting(response: FetchResponse, passage: AnyPassage, request: DecidedRequest) {
  return request.spillway === passage ? withHeaders(response, passage.headers) : response;
}

/** Calls the handler, and ends the passage with its response. */
function watch(
  passage: AnyPassage,
  { request, rest }: { request: FetchRequest; rest: readonly unknown[] },
  handle: () => MaybePromise<MaybeAnswer>,
): Promise<MaybeAnswer> {
  const { method, signal } = request;
  const asks = asksForSocket(reader.header(request, "upgrade"));
  const server = asks ? bunServerIn(rest[0]) : undefined;
  const opener = server && bunOpener(server, request);
  return answered({ passage, method, signal, asksForSocket: asks, opener }, handle);
}
