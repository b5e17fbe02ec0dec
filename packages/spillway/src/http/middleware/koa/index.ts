/** Limits for Koa 3. */

import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import {
  type AnyMembers,
  applyPassage,
  enterBy,
  type FrameworkAdapter,
  Guard,
  isGone,
  type NodeRequest,
  type NodeResponse,
  nodeReader,
  type Refusal,
  type RequestReader,
  type RouteDecision,
  type RouteLimits,
  rethrow,
  serve,
  setHeaders,
} from "../../guard/index.ts";

/** The state of a context whose request was decided by limits. Declared by `new Koa<Limited>()`. */
export type Limited = {
  /** The decision of the route's limits. If there are several routes, that of the last one. */
  spillway?: RouteDecision;
};

/** A context with the used members, and others of any type. */
type UncheckedKoaContext = AnyMembers & {
  readonly req: NodeRequest;
  readonly res: NodeResponse;
  readonly state: Limited;
  status: number;
  body: unknown;
};

/** The options of a route. Its functions receive the context. */
export type KoaRoute<Ctx, L extends Limits = Limits> = RouteLimits<Ctx, L> & {
  /** Answers a refusal itself. Status and headers are already set. */
  readonly onLimited?: (context: Ctx, refusal: Refusal) => unknown;
  /** Throws refusals to earlier middlewares and to Koa, as a `RateLimitError`. Default: false. */
  readonly throws?: boolean;
};

/** Reads Node's request instead of Koa's. Proxies are trusted by `trust`, not by Koa's setting. */
const reader: RequestReader<UncheckedKoaContext> = {
  method: ({ req }) => nodeReader.method(req),
  header: ({ req }, name) => nodeReader.header(req, name),
  // Below a mount, Koa replaces `req.url`. Express does so too, and keeps its own `originalUrl`.
  target: ({ req, originalUrl }) =>
    (req as { readonly originalUrl?: string }).originalUrl ?? originalUrl ?? req.url,
  authority: ({ req }) => nodeReader.authority(req),
  peer: ({ req }) => nodeReader.peer(req),
  isGone: ({ req }) => nodeReader.isGone(req),
  body: ({ request }) => request?.body,
};

/**
 * Creates a middleware that passes requests to the next middlewares, or refuses them.
 *
 * Place it after everything that its functions need, such as a body parser. A lease ends when the
 * response ends or fails. A request stops here if its client has disconnected.
 *
 * @throws SpillwayError if an option of the route is invalid
 * @example
 * app.use(limited(limiter, { limit: "search" }));
 */
export function limited<Ctx extends UncheckedKoaContext, const L extends Limits>(
  limiter: AnyLimiter<L>,
  route: KoaRoute<Ctx, L>,
): (context: Ctx, next: () => Promise<unknown>) => Promise<unknown> {
  const guard = new Guard<Ctx>(limiter, route as RouteLimits<Ctx>, reader);
  const { throws, onLimited } = route;
  const adapter: FrameworkAdapter<{ context: Ctx; next: () => Promise<unknown> }, unknown> = {
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
      applyPassage(context.res, passage);
      return next();
    },
  };
  return async (context, next) => {
    const { res: response, state } = context;
    const entered = enterBy(guard, context, { response, previous: state.spillway });
    return serve(adapter, { context, next }, entered);
  };
}

function answer(context: UncheckedKoaContext, refusal: Refusal): void {
  context.status = refusal.status;
  const { contentType, text } = refusal.body(reader.header(context, "accept"));
  context.set("Content-Type", contentType);
  context.body = text;
}
