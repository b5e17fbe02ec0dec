/** Limits for any `(Request) => Response`: Next route handlers, Workers, Bun, Deno; SvelteKit by an event's request. */

import type { StopSignal } from "../../../internal/index.ts";
import type { RateLimiter } from "../../../limiter/index.ts";
import type { HttpResponse, Limits, Mode } from "../../../limits/core/index.ts";
import {
  A_RESPONSE,
  type AnyLimiter,
  answered,
  asksForSocket,
  bunOpener,
  bunServerIn,
  type FetchResponse,
  Guard,
  type Maybe,
  nobodyWaits,
  type Passage,
  type Refusal,
  type RequestReader,
  type RouteDecision,
  type RouteLimits,
  refusalResponse,
  withHeaders,
} from "../../guard/index.ts";

/** What is needed of a `Request`. */
export type FetchRequest = {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  readonly signal?: StopSignal;
};

/** A request that has passed: what its limits said is on it. */
export type Limited = { readonly spillway: RouteDecision };

/** What a route can say of its limits. */
export type FetchRoute<
  Req,
  Rest extends readonly unknown[],
  L extends Limits = Limits,
> = RouteLimits<Req, L, Rest> & {
  /** Answers a refusal instead; the headers that report what is left are added. */
  readonly onLimited?: (request: Req, refusal: Refusal) => HttpResponse | Promise<HttpResponse>;
  /** Rejects with a `RateLimitError` instead of answering. Default: false. */
  readonly throws?: boolean;
};

/** Nothing in a `Request` says where it came from: that is for `peer`. */
const reader: RequestReader<FetchRequest> = {
  method: ({ method }) => method,
  header: ({ headers }, name) => headers.get(name) ?? undefined,
  peer: () => undefined,
  isGone: ({ signal }) => signal?.aborted === true,
};

/**
 * Puts limits in front of a handler: what is refused is answered, and does not reach it.
 *
 * What is passed beside the request goes on to the handler. A lease ends when the body has been read,
 * when the client goes away, or when the handler throws. Without `peer` no client's address is known,
 * so that each limit needs a `key`.
 *
 * @throws SpillwayError where the route says what it can't
 * @example
 * export const GET = limited(limiter, { limit: "search", key: "all" }, () => new Response("found"));
 */
export function limited<
  Req extends FetchRequest,
  Rest extends readonly unknown[],
  const L extends Limits,
  M extends Mode,
  A extends HttpResponse | undefined,
>(
  limiter: RateLimiter<L, M>,
  route: FetchRoute<Req, Rest, L>,
  handler: (request: Req & Limited, ...rest: Rest) => A | Promise<A>,
): (request: Req, ...rest: Rest) => Promise<HttpResponse | Extract<A, undefined>> {
  const limits = route as unknown as RouteLimits<Req>;
  const guard = new Guard<Req>(limiter as unknown as AnyLimiter, limits, reader);
  const { peer } = route;
  return async (request, ...rest) => {
    const on = request as { spillway?: RouteDecision };
    const passage = await guard.enter(request, {
      signal: request.signal,
      previous: on.spillway,
      ...(peer && { peer: () => peer(request, ...rest) }),
    });
    on.spillway = passage;
    if (request.signal?.aborted) return nobodyWaits(passage);
    if (passage.refusal !== undefined) return refuse({ guard, request, route }, passage.refusal);
    const handle = () => handler(request as Req & Limited, ...rest);
    const response = await serve(passage, { request, rest }, handle);
    // A route nearer to the handler reports what is left of all limits.
    const isNearest = on.spillway === passage && response !== undefined;
    return (isNearest ? withHeaders(response, passage.headers) : response) as HttpResponse;
  };
}

/** Has the handler answer, and the passage end with what it answers. */
function serve<R>(
  passage: Passage<R>,
  { request, rest }: { readonly request: FetchRequest; readonly rest: readonly unknown[] },
  handle: () => unknown,
): MaybeAnswer | Promise<MaybeAnswer> {
  const answer = handle as () => MaybeAnswer | Promise<MaybeAnswer>;
  if (!passage.isWatched) return answer();
  const { method, signal } = request;
  const asks = asksForSocket(reader.header(request, "upgrade"));
  const server = asks ? bunServerIn(rest[0]) : undefined;
  const opener = server && bunOpener(server, request);
  return answered({ passage, method, signal, asksForSocket: asks, opener }, answer);
}

/** Bun is answered nothing where a WebSocket was opened. */
type MaybeAnswer = FetchResponse | undefined;

type Refused<Req> = {
  readonly guard: Guard<Req>;
  readonly request: Req;
  readonly route: FetchRoute<Req, never>;
};

async function refuse<Req extends FetchRequest>(
  { guard, request, route }: Refused<Req>,
  refusal: Refusal,
): Promise<HttpResponse> {
  const { throws, onLimited } = route;
  if (throws) throw refusal.error();
  const otherwise = () => refusalResponse(reader, { request, refusal });
  if (onLimited === undefined) return otherwise();
  const call = () => onLimited(request, refusal) as Maybe<FetchResponse>;
  const own = await guard.answer(request, { call, expected: A_RESPONSE, otherwise });
  return withHeaders(own, refusal.headers);
}
