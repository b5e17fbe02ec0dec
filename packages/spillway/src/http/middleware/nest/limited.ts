/** The guard of a route, as Nest knows guards. */
import { HttpException } from "@nestjs/common";
import { badOption } from "../../../internal/index.ts";
import type { RateLimiter } from "../../../limiter/index.ts";
import type { Limits, Mode } from "../../../limits/core/index.ts";
import { closeSignal } from "../../../shedding/index.ts";
import {
  type AnyLimiter,
  chain,
  Guard,
  isGone,
  joined,
  type Maybe,
  type Passage,
  type RouteLimits,
  watch,
} from "../../guard/index.ts";
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
export function limited<Req extends LooseRequest, const L extends Limits, M extends Mode>(
  limiter: RateLimiter<L, M>,
  route: NestRoute<Req, L>,
): RouteGuard {
  refuseAnswers(route);
  const loose = route as unknown as NestRoute;
  const guard = new Guard<LooseRequest>(limiter as unknown as AnyLimiter, loose, reader);
  const canActivate = (context: Context): Maybe<boolean> => {
    if (context.getType() !== "http") return true;
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest(), http.getResponse()];
    const signal = guard.waits ? closeSignal(nodeResponse(response)) : undefined;
    const passage = guard.enter(request, { signal, previous: request.spillway });
    return chain(passage, (passage) => proceed(request, response, passage));
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

function proceed(
  request: LimitedRequest,
  response: LooseResponse,
  passage: Passage<LooseRequest>,
): boolean {
  request.spillway = passage;
  const raw = nodeResponse(response);
  if (isGone(raw)) {
    passage.over(undefined);
    throw new HttpException("The client has gone", CLIENT_CLOSED_REQUEST);
  }
  for (const [name, value] of passage.headers) response.header(name, joined(response, name, value));
  if (passage.refusal !== undefined) {
    response.header("Content-Type", "application/problem+json");
    throw new RefusalException(passage.refusal);
  }
  watch(raw, passage);
  return true;
}

/** What servers log for it; nobody receives it. */
const CLIENT_CLOSED_REQUEST = 499;
