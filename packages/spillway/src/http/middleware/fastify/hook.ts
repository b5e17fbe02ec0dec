/** The hook: what passes goes on, what is refused is answered. */

import { isPromised } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  type DecidedRequest,
  enterBy,
  Guard,
  type Host,
  isGone,
  joined,
  type Refusal,
  type RouteLimits,
  respondByOwn,
  serve,
  watch,
} from "../../guard/index.ts";
import type { Header } from "../../headers/index.ts";
import { type FastifyRoute, type LooseReply, type LooseRequest, reader } from "./route.ts";

type Done = (error?: Error) => void;

/** A hook, as `onRequest` or `preHandler`: of any route, whatever its requests are like. */
export type Hook = (request: LooseRequest, reply: LooseReply, done: Done) => void;

/**
 * Makes a hook that lets requests pass to the handler, or answers them itself.
 *
 * Use it as `onRequest`, before the body is read; or as `preHandler` where a function of the route needs
 * the body. A lease ends with the response, however that ends; whose client has gone goes no further.
 *
 * @throws SpillwayError where the route says what it can't
 * @example
 * app.get("/search", { onRequest: limited(limiter, { limit: "search" }) }, search);
 */
export function limited<Req extends LooseRequest, Rep extends LooseReply, const L extends Limits>(
  limiter: AnyLimiter<L>,
  route: FastifyRoute<Req, Rep, L>,
): Hook {
  const guard = new Guard<Req>(limiter, route as RouteLimits<Req>, reader);
  const { throws, onLimited } = route;
  const host: Host<{ request: Req; reply: Rep; done: Done }, void> = {
    decided({ request }, passage) {
      (request as DecidedRequest).spillway = passage;
    },
    // Somebody else has answered in the meantime, or nobody waits any more.
    isGone: ({ reply }) => reply.sent || isGone(reply.raw),
    leave() {},
    refuse({ request, reply, done }, refusal) {
      setHeaders(reply, refusal.headers);
      if (throws) return done(refusal.error() as Error);
      const otherwise = () => answer(request, reply, refusal);
      if (onLimited === undefined) return otherwise();
      reply.code(refusal.status);
      // What a handler returns is sent, as everywhere in Fastify.
      const call = async () => {
        const payload = await onLimited(request, reply, refusal);
        if (payload !== undefined) reply.send(payload);
      };
      const thrown = hasOwnErrorHandler(request) ? done : undefined;
      respondByOwn({ guard, request, response: reply.raw, call, otherwise, thrown });
    },
    pass({ reply, done }, passage) {
      // First: what can't be set is no reason to keep a lease.
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
    const served = serve(host, exchange, entered);
    if (isPromised(served)) served.catch(done);
  };
}

function setHeaders(reply: LooseReply, headers: readonly Header[]): void {
  for (const [name, value] of headers) reply.header(lowerCase(name), joined(reply, name, value));
}

/** Fastify lowers each name itself; one that is lower already is not made anew with every reply. */
function lowerCase(name: string): string {
  const known = lowerCased.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  lowerCased.set(name, lower);
  return lower;
}

/** The few names that the forms of headers have. */
const lowerCased = new Map<string, string>();

function answer(request: LooseRequest, reply: LooseReply, refusal: Refusal): void {
  const { contentType, text } = refusal.body(reader.header(request, "accept"));
  reply.code(refusal.status);
  reply.header("content-type", contentType);
  sendText(reply, text);
}

/**
 * Of JSON, Fastify would say in which charset it is, which its types don't have: but not of what a
 * serializer of the reply's own has made. That stays with the reply, for what an error handler sends
 * where an `onSend` hook has failed.
 */
function sendText(reply: LooseReply, text: string): void {
  reply.serializer((payload) => (typeof payload === "string" ? payload : asJson(reply, payload)));
  reply.send(text);
}

function asJson(reply: LooseReply, payload: unknown): string {
  reply.header("content-type", "application/json; charset=utf-8");
  return JSON.stringify(payload);
}

/** Whether the program has one where the route is: Fastify's, known by its name alone, would send an error's text. */
function hasOwnErrorHandler(request: LooseRequest): boolean {
  const { server } = request as { server?: { errorHandler?: { readonly name: string } } };
  const handler = server?.errorHandler;
  return handler !== undefined && handler.name !== "defaultErrorHandler";
}
