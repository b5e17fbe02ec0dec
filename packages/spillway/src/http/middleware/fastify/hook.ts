/** The hook: it passes requests on, or answers them with a refusal. */

import { isPromised } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  type DecidedRequest,
  enterBy,
  type FrameworkAdapter,
  Guard,
  isGone,
  joined,
  type Refusal,
  type RouteLimits,
  respondByOwn,
  serve,
  watch,
} from "../../guard/index.ts";
import type { Header } from "../../headers/index.ts";
import {
  type FastifyRoute,
  reader,
  type UncheckedFastifyReply,
  type UncheckedFastifyRequest,
} from "./route.ts";

type Done = (error?: Error) => void;

/** A hook for `onRequest` or `preHandler`, for routes with requests of any type. */
export type Hook = (
  request: UncheckedFastifyRequest,
  reply: UncheckedFastifyReply,
  done: Done,
) => void;

/**
 * Creates a hook that passes requests to the handler, or refuses them.
 *
 * Use it as `onRequest`, before the body is read, or as `preHandler` if a function of the route
 * needs the body. A lease ends when the response ends or fails. A request stops here if its
 * client has disconnected.
 *
 * @throws SpillwayError if an option of the route is invalid
 * @example
 * app.get("/search", { onRequest: limited(limiter, { limit: "search" }) }, search);
 */
export function limited<
  Req extends UncheckedFastifyRequest,
  Rep extends UncheckedFastifyReply,
  const L extends Limits,
>(limiter: AnyLimiter<L>, route: FastifyRoute<Req, Rep, L>): Hook {
  const guard = new Guard<Req>(limiter, route as RouteLimits<Req>, reader);
  const { throws, onLimited } = route;
  const adapter: FrameworkAdapter<{ request: Req; reply: Rep; done: Done }, void> = {
    decided({ request }, passage) {
      (request as DecidedRequest).spillway = passage;
    },
    // Other code may have answered in the meantime, or the client has disconnected.
    isGone: ({ reply }) => reply.sent || isGone(reply.raw),
    leave() {},
    refuse({ request, reply, done }, refusal) {
      setHeaders(reply, refusal.headers);
      if (throws) return done(refusal.error() as Error);
      const otherwise = () => answer(request, reply, refusal);
      if (onLimited === undefined) return otherwise();
      reply.code(refusal.status);
      // The return value is sent, as with every handler in Fastify.
      const call = async () => {
        const payload = await onLimited(request, reply, refusal);
        if (payload !== undefined) reply.send(payload);
      };
      const thrown = hasOwnErrorHandler(request) ? done : undefined;
      respondByOwn({ guard, request, response: reply.raw, call, otherwise, thrown });
    },
    pass({ reply, done }, passage) {
      // Done first, so that the lease ends even if a header can't be set.
      watch(reply.raw, passage);
      setHeaders(reply, passage.headers);
      done();
    },
  };
  return (loose, looseReply, done) => {
    const exchange = { request: loose as Req, reply: looseReply as Rep, done };
    const { request, reply } = exchange;
    const { spillway: previous } = request as DecidedRequest;
    const entered = enterBy(guard, request, { response: reply.raw, previous });
    const served = serve(adapter, exchange, entered);
    if (isPromised(served)) served.catch(done);
  };
}

function setHeaders(reply: UncheckedFastifyReply, headers: readonly Header[]): void {
  for (const [name, value] of headers) reply.header(lowerCase(name), joined(reply, name, value));
}

/**
 * Fastify lowercases each name. A name already in lower case creates no new string, so the names
 * that every reply has by default are written out.
 */
function lowerCase(name: string): string {
  if (name === "RateLimit-Policy") return "ratelimit-policy";
  if (name === "RateLimit") return "ratelimit";
  return name.toLowerCase();
}

function answer(
  request: UncheckedFastifyRequest,
  reply: UncheckedFastifyReply,
  refusal: Refusal,
): void {
  const { contentType, text } = refusal.body(reader.header(request, "accept"));
  reply.code(refusal.status);
  reply.header("content-type", contentType);
  sendText(reply, text);
}

/**
 * Sends a text through a serializer, so that Fastify adds no charset to JSON types, which have
 * none.
 *
 * Fastify keeps the serializer with the reply. It therefore also handles the payload of an error
 * handler after an `onSend` hook has failed.
 */
function sendText(reply: UncheckedFastifyReply, text: string): void {
  reply.serializer((payload) => (typeof payload === "string" ? payload : asJson(reply, payload)));
  reply.send(text);
}

function asJson(reply: UncheckedFastifyReply, payload: unknown): string {
  reply.header("content-type", "application/json; charset=utf-8");
  return JSON.stringify(payload);
}

/**
 * Whether the program has set its own error handler for the route.
 *
 * Fastify's default handler can be recognized only by its name. It would send the error's text.
 */
function hasOwnErrorHandler(request: UncheckedFastifyRequest): boolean {
  const { server } = request as { server?: { errorHandler?: { readonly name: string } } };
  const handler = server?.errorHandler;
  return handler !== undefined && handler.name !== "defaultErrorHandler";
}
