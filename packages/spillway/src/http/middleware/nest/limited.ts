/** The guard of a route, as Nest knows guards. */
import { HttpException } from "@nestjs/common";
import { badOption, type Maybe } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  enterBy,
  Guard,
  type Host,
  isGone,
  joined,
  type RouteLimits,
  serve,
  watch,
} from "../../guard/index.ts";
import type { Header } from "../../headers/index.ts";
import {
  type Context,
  type LimitedRequest,
  type LooseRequest,
  type LooseResponse,
  nodeResponse,
  reader,
} from "./context.ts";
import { RefusalException } from "./refusal.ts";

/** What a route can say of its limits: refusals are for exception filters. */
export type NestRoute<Req = LooseRequest, L extends Limits = Limits> = RouteLimits<Req, L>;

/** A guard, for `@UseGuards` and `app.useGlobalGuards`. */
export type RouteGuard<C extends Context = Context> = { canActivate(context: C): Maybe<boolean> };

/**
 * Makes a guard that lets requests pass to the handler, or throws a `RefusalException`.
 *
 * It guards HTTP only: messages and GraphQL operations pass. A lease ends with the response, however
 * that ends; whose client has gone goes no further.
 *
 * @throws SpillwayError where the route says what it can't
 * @example
 * @UseGuards(AuthGuard, limited(limiter, { limit: "search", key: (request) => request.user.id }))
 */
export function limited<Req extends LooseRequest, const L extends Limits>(
  limiter: AnyLimiter<L>,
  route: NestRoute<Req, L>,
): RouteGuard {
  refuseAnswers(route);
  const guard = new Guard<Req>(limiter, route as RouteLimits<Req>, reader);
  const canActivate = (context: Context): Maybe<boolean> => {
    if (context.getType() !== "http") return true;
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest(), http.getResponse()];
    const entered = enterBy(guard, request as Req, {
      response: nodeResponse(response),
      previous: request.spillway,
    });
    return serve(host, { request, response }, entered);
  };
  return { canActivate };
}

/** @throws SpillwayError `bad-option` for what other frameworks have in place of filters */
function refuseAnswers(route: object): void {
  for (const field of ["onLimited", "throws"] as const) {
    const value = (route as { [field: string]: unknown })[field];
    if (value !== undefined) {
      throw badOption(field, value, "nothing: in Nest, exception filters answer refusals");
    }
  }
}

const host: Host<{ request: LimitedRequest; response: LooseResponse }, boolean> = {
  decided({ request }, passage) {
    request.spillway = passage;
  },
  isGone: ({ response }) => isGone(nodeResponse(response)),
  leave() {
    throw new HttpException("The client has gone", CLIENT_CLOSED_REQUEST);
  },
  refuse({ response }, refusal) {
    setReplyHeaders(response, refusal.headers);
    response.header("Content-Type", "application/problem+json");
    throw new RefusalException(refusal);
  },
  pass({ response }, passage) {
    // First: what can't be set is no reason to keep a lease.
    watch(nodeResponse(response), passage);
    setReplyHeaders(response, passage.headers);
    return true;
  },
};

function setReplyHeaders(response: LooseResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.header(name, joined(response, name, value));
}

/** What servers log for it; nobody receives it. */
const CLIENT_CLOSED_REQUEST = 499;
