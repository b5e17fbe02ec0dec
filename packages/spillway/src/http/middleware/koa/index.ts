/** Limits for Koa 3. */

import type { RateLimiter } from "../../../limiter/index.ts";
import type { Limits, Mode } from "../../../limits/core/index.ts";
import { closeSignal } from "../../../shedding/index.ts";
import {
  type AnyLimiter,
  Guard,
  isGone,
  type NodeRequest,
  type NodeResponse,
  nodeReader,
  type Refusal,
  type RequestReader,
  type RouteDecision,
  type RouteLimits,
  setHeaders,
  watch,
} from "../../guard/index.ts";

/** What the state of a context has once its request has passed limits: `new Koa<Limited>()`. */
export type Limited = {
  /** What the limits have decided; of the last route where there are several. */
  spillway?: RouteDecision;
};

/** What is needed of a context, and whatever else there is. */
export type LooseContext = Loose & {
  readonly req: NodeRequest;
  readonly res: NodeResponse;
  readonly state: Limited;
  status: number;
  body: unknown;
};

// biome-ignore lint/suspicious/noExplicitAny: an index of any is one that every class has
type Loose = { readonly [member: string]: any };

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
export function limited<Ctx extends LooseContext, const L extends Limits, M extends Mode>(
  limiter: RateLimiter<L, M>,
  route: KoaRoute<Ctx, L>,
): (context: Ctx, next: () => Promise<unknown>) => Promise<unknown> {
  const guard = new Guard<Ctx>(limiter as unknown as AnyLimiter, route as RouteLimits<Ctx>, reader);
  return async (context, next) => {
    const { res, state } = context;
    const signal = guard.waits ? closeSignal(res) : undefined;
    const passage = await guard.enter(context, { signal, previous: state.spillway });
    state.spillway = passage;
    if (isGone(res)) return passage.over(undefined);
    setHeaders(res, passage.headers);
    if (passage.refusal !== undefined) return refuse({ guard, context, route }, passage.refusal);
    watch(res, passage);
    return next();
  };
}

type Refused<Ctx> = {
  readonly guard: Guard<Ctx>;
  readonly context: Ctx;
  readonly route: KoaRoute<Ctx, never>;
};

function refuse<Ctx extends LooseContext>(
  { guard, context, route }: Refused<Ctx>,
  refusal: Refusal,
): unknown {
  const { throws, onLimited } = route;
  if (throws) throw refusal.error();
  if (onLimited === undefined) return answer(context, refusal);
  context.status = refusal.status;
  return guard.answer<unknown>(context, {
    call: () => onLimited(context, refusal),
    hasBegun: () => context.res.headersSent,
    otherwise: () => answer(context, refusal),
    thrown: (error) => {
      throw error;
    },
  });
}

function answer(context: LooseContext, refusal: Refusal): void {
  context.status = refusal.status;
  const { contentType, text } = refusal.body(reader.header(context, "accept"));
  context.set("Content-Type", contentType);
  context.body = text;
}
