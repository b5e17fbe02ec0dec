/** Limits for Koa 3. */

import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  enterBy,
  Guard,
  type Host,
  isGone,
  type Loose,
  type NodeRequest,
  type NodeResponse,
  nodeReader,
  passOver,
  type Refusal,
  type RequestReader,
  type RouteDecision,
  type RouteLimits,
  rethrow,
  serve,
  setHeaders,
} from "../../guard/index.ts";

/** What the state of a context has once its request has passed limits: `new Koa<Limited>()`. */
export type Limited = {
  /** What the limits have decided; of the last route where there are several. */
  spillway?: RouteDecision;
};

/** What is needed of a context, and whatever else there is. */
type LooseContext = Loose & {
  readonly req: NodeRequest;
  readonly res: NodeResponse;
  readonly state: Limited;
  status: number;
  body: unknown;
};

/** What a route can say of its limits. Its functions receive the context. */
export type KoaRoute<Ctx, L extends Limits = Limits> = RouteLimits<Ctx, L> & {
  /** Answers a refusal instead; status and headers are set already. */
  readonly onLimited?: (context: Ctx, refusal: Refusal) => unknown;
  /** Throws a refusal to Koa and to the middlewares before, as a `RateLimitError`. Default: false. */
  readonly throws?: boolean;
};

/** Reads the request below Koa's: what Koa says of proxies is for `trust`. */
const reader: RequestReader<LooseContext> = {
  method: ({ req }) => nodeReader.method(req),
  header: ({ req }, name) => nodeReader.header(req, name),
  peer: ({ req }) => nodeReader.peer(req),
  isGone: ({ req }) => nodeReader.isGone(req),
  body: ({ request }) => request?.body,
};

/**
 * Makes a middleware that lets requests pass to those after it, or answers them itself.
 *
 * Put it after what its functions need, such as a parser of bodies. A lease ends with the response,
 * however that ends; whose client has gone goes no further.
 *
 * @throws SpillwayError where the route says what it can't
 * @example
 * app.use(limited(limiter, { limit: "search" }));
 */
export function limited<Ctx extends LooseContext, const L extends Limits>(
  limiter: AnyLimiter<L>,
  route: KoaRoute<Ctx, L>,
): (context: Ctx, next: () => Promise<unknown>) => Promise<unknown> {
  const guard = new Guard<Ctx>(limiter, route as RouteLimits<Ctx>, reader);
  const { throws, onLimited } = route;
  const host: Host<{ context: Ctx; next: () => Promise<unknown> }, unknown> = {
    decided({ context }, passage) {
      context.state.spillway = passage;
    },
    isGone: ({ context }) => isGone(context.res),
    leave: () => undefined,
    refuse({ context }, refusal) {
      setHeaders(context.res, refusal.headers);
      if (throws) throw refusal.error();
      if (onLimited === undefined) return answer(context, refusal);
      context.status = refusal.status;
      return guard.answer<unknown>(context, {
        call: () => onLimited(context, refusal),
        hasBegun: () => context.res.headersSent,
        otherwise: () => answer(context, refusal),
        thrown: rethrow,
      });
    },
    pass({ context, next }, passage) {
      passOver(context.res, passage);
      return next();
    },
  };
  return async (context, next) => {
    const { res: response, state } = context;
    const entered = enterBy(guard, context, { response, previous: state.spillway });
    return serve(host, { context, next }, entered);
  };
}

function answer(context: LooseContext, refusal: Refusal): void {
  context.status = refusal.status;
  const { contentType, text } = refusal.body(reader.header(context, "accept"));
  context.set("Content-Type", contentType);
  context.body = text;
}
