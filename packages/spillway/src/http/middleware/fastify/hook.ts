/** The hook: what passes goes on, what is refused is answered. */

import type { RateLimiter } from "../../../limiter/index.ts";
import type { Limits, Mode } from "../../../limits/core/index.ts";
import { closeSignal } from "../../../shedding/index.ts";
import {
  type AnyLimiter,
  Guard,
  isGone,
  isPromised,
  joined,
  type Passage,
  type Refusal,
  type RouteDecision,
  respondByOwn,
  watch,
} from "../../guard/index.ts";
import { type FastifyRoute, type LooseReply, type LooseRequest, reader } from "./route.ts";

type Done = (error?: Error) => void;

/** A hook, as `onRequest` or `preHandler`: of any route, whatever its requests are like. */
export type Hook = (request: LooseRequest, reply: LooseReply, done: Done) => void;

/** A request under way. */
type Exchange = {
  readonly guard: Guard<LooseRequest>;
  readonly request: LooseRequest;
  readonly reply: LooseReply;
  readonly done: Done;
  readonly route: FastifyRoute<LooseRequest, LooseReply>;
};

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
export function limited<
  Req extends LooseRequest,
  Rep extends LooseReply,
  const L extends Limits,
  M extends Mode,
>(limiter: RateLimiter<L, M>, route: FastifyRoute<Req, Rep, L>): Hook {
  const loose = route as unknown as Exchange["route"];
  const guard = new Guard<LooseRequest>(limiter as unknown as AnyLimiter, loose, reader);
  return (request, reply, done) => {
    const exchange = { guard, request, reply, done, route: loose };
    const signal = guard.waits ? closeSignal(reply.raw) : undefined;
    const passage = guard.enter(request, { signal, previous: (request as Decided).spillway });
    if (isPromised(passage)) passage.then((answer) => proceed(exchange, answer)).catch(done);
    else proceed(exchange, passage);
  };
}

type Decided = { spillway?: RouteDecision };

function proceed(exchange: Exchange, passage: Passage<LooseRequest>): void {
  const { request, reply, done } = exchange;
  (request as Decided).spillway = passage;
  // Somebody else has answered in the meantime, or nobody waits any more.
  if (reply.sent || isGone(reply.raw)) {
    passage.over(undefined);
    return;
  }
  for (const [name, value] of passage.headers) {
    reply.header(lowerCase(name), joined(reply, name, value));
  }
  if (passage.refusal === undefined) {
    watch(reply.raw, passage);
    done();
  } else refuse(exchange, passage.refusal);
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

function refuse(exchange: Exchange, refusal: Refusal): void {
  const { request, reply, done, route } = exchange;
  const { throws, onLimited } = route;
  if (throws) done(refusal.error() as Error);
  else if (onLimited === undefined) answer(request, reply, refusal);
  else {
    reply.code(refusal.status);
    answerByOwn(exchange, refusal, async () => onLimited(request, reply, refusal));
  }
}

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

/** What a handler returns is sent, as everywhere in Fastify. */
function answerByOwn(
  { guard, request, reply, done }: Exchange,
  refusal: Refusal,
  find: () => Promise<unknown>,
): void {
  const call = async () => {
    const payload = await find();
    if (payload !== undefined) reply.send(payload);
  };
  const otherwise = () => answer(request, reply, refusal);
  const own = { guard, request, response: reply.raw, call, otherwise };
  respondByOwn(hasOwnErrorHandler(request) ? { ...own, thrown: done } : own);
}

/** Whether the program has one where the route is: Fastify's, known by its name alone, would send an error's text. */
function hasOwnErrorHandler(request: LooseRequest): boolean {
  const { server } = request as { server?: { errorHandler?: { readonly name: string } } };
  const handler = server?.errorHandler;
  return handler !== undefined && handler.name !== "defaultErrorHandler";
}
