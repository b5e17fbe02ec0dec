/** The guard of a route, as a guard of Nest. */
import { HttpException } from "@nestjs/common";
import { badOption, type MaybePromise } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  enterBy,
  type FrameworkAdapter,
  Guard,
  isGone,
  joined,
  type RouteLimits,
  serve,
  watch,
} from "../../guard/index.ts";
import type { Header } from "../../headers/index.ts";
import {
  type LimitedRequest,
  type NestContext,
  nodeResponse,
  reader,
  type UncheckedNestRequest,
  type UncheckedNestResponse,
} from "./context.ts";
import { RefusalException } from "./refusal.ts";

/**
 * The options of a route. It has no options for answers, because exception filters answer refusals.
 */
export type NestRoute<Req = UncheckedNestRequest, L extends Limits = Limits> = RouteLimits<Req, L>;

/** A guard, for `@UseGuards` and `app.useGlobalGuards`. */
export type RouteGuard<C extends NestContext = NestContext> = {
  canActivate(context: C): MaybePromise<boolean>;
};

/**
 * Creates a guard that passes requests to the handler, or throws a `RefusalException`.
 *
 * It guards HTTP only; messages and GraphQL operations pass. A lease ends when the response ends or
 * fails. A request stops here if its client has disconnected.
 *
 * @throws SpillwayError if an option of the route is invalid
 * @example
 * @UseGuards(AuthGuard, limited(limiter, { limit: "search", key: (request) => request.user.id }))
 */
export function limited<Req extends UncheckedNestRequest, const L extends Limits>(
  limiter: AnyLimiter<L>,
  route: NestRoute<Req, L>,
): RouteGuard {
  refuseAnswers(route);
  const guard = new Guard<Req>(limiter, route as RouteLimits<Req>, reader);
  const canActivate = (context: NestContext): MaybePromise<boolean> => {
    if (context.getType() !== "http") return true;
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest(), http.getResponse()];
    const entered = enterBy(guard, request as Req, {
      response: nodeResponse(response),
      previous: request.spillway,
    });
    return serve(adapter, { request, response }, entered);
  };
  return { canActivate };
}

/**
 * Refuses options of other frameworks for which Nest has filters. @throws SpillwayError
 * `bad-option`
 */
function refuseAnswers(route: object): void {
  for (const field of ["onLimited", "throws"] as const) {
    const value = (route as { [field: string]: unknown })[field];
    if (value !== undefined) {
      throw badOption(field, value, "nothing: in Nest, exception filters respond to refusals");
    }
  }
}

const adapter: FrameworkAdapter<
  { request: LimitedRequest; response: UncheckedNestResponse },
  boolean
> = {
  decided({ request }, passage) {
    request.spillway = passage;
  },
  isGone: ({ response }) => isGone(nodeResponse(response)),
  leave() {
    throw new HttpException("The client disconnected", CLIENT_CLOSED_REQUEST);
  },
  refuse({ response }, refusal) {
    setReplyHeaders(response, refusal.headers);
    response.header("Content-Type", "application/problem+json");
    throw new RefusalException(refusal);
  },
  pass({ response }, passage) {
    // Done first, so that the lease ends even if a header can't be set.
    watch(nodeResponse(response), passage);
    setReplyHeaders(response, passage.headers);
    return true;
  },
};

function setReplyHeaders(response: UncheckedNestResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) response.header(name, joined(response, name, value));
}

/** The status that servers log for a disconnected client. It is never received. */
const CLIENT_CLOSED_REQUEST = 499;
