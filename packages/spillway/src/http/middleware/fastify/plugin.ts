/** The plugin: one limiter, what its routes have in common, and what each says for itself. */
import { badOption } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits, SpillwayError } from "../../../limits/core/index.ts";
import { perSetting, type RouteDecision, routeParts } from "../../guard/index.ts";
import { type Hook, limited } from "./hook.ts";
import type { FastifyRoute, LooseInstance, LooseReply, LooseRequest } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the limits of the route have said; of the last one where there are several. */
    spillway: RouteDecision | undefined;
  }
  interface FastifyContextConfig {
    /** The route's limits; false for none. Default: those of the plugin. */
    spillway?: RouteSetting<FastifyRequest, LooseReply>;
  }
}

/** What a route says for itself, as `config.spillway`. */
export type RouteSetting<Req, Rep> = FastifyRoute<Req, Rep> | false;

/** A limiter, and what all routes have in common: settings, or limits for those that have none. */
export type PluginOptions<
  Req = LooseRequest,
  Rep = LooseReply,
  L extends Limits = Limits,
> = FastifyRoute<Req, Rep, L> & { readonly limiter: AnyLimiter<L> };

type Setting = RouteSetting<LooseRequest, LooseReply> | undefined;
type RouteOf = { readonly routeOptions: { readonly config?: { readonly spillway?: Setting } } };

/**
 * Limits the routes of the instance that it is registered with, and of those in it.
 *
 * It decides as the first `onRequest` hook would, before the body is read. For a route whose functions
 * need the body, use `limited` as `preHandler`.
 *
 * @throws SpillwayError where the routes say what they can't
 * @example
 * app.register(spillway, { limiter });
 * app.get("/search", { config: { spillway: { limit: "search" } } }, search);
 */
export async function spillway<L extends Limits>(
  app: LooseInstance,
  options: PluginOptions<LooseRequest, LooseReply, L>,
): Promise<void> {
  if (app.hasRequestDecorator("spillway")) throw registeredTwice();
  const hookOf = hooks(options as PluginOptions);
  app.decorateRequest("spillway", undefined);
  // What a route says wrong is seen when it is declared, where the plugin is loaded by then.
  app.addHook("onRoute", ({ config }: RouteOf["routeOptions"]) => void hookOf(config?.spillway));
  app.addHook(
    "onRequest",
    (request: LooseRequest & RouteOf, reply: LooseReply, next: () => void) => {
      const hook = hookOf(request.routeOptions.config?.spillway);
      if (hook === undefined) next();
      else hook(request, reply, next);
    },
  );
}

/** What a route says would be for both, of which only one has its limits. */
function registeredTwice(): SpillwayError {
  return badOption(
    "spillway",
    "a second registration",
    "one for an instance and those in it; for another limiter, the hook `limited`",
  );
}

/** It is for the instance that registers it, not for a scope of its own; so `fastify-plugin` does it. */
Object.assign(spillway, {
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "spillway",
});

/** Makes a function that finds the hook of a route, each made once. */
function hooks({ limiter, ...defaults }: PluginOptions): (own: Setting) => Hook | undefined {
  return perSetting(limited(limiter, defaults), (own) => limited(limiter, merged(defaults, own)));
}

type Route = FastifyRoute<LooseRequest, LooseReply>;

/** A route that names limits has none of the plugin's, nor what these say of key, count and price. */
function merged(defaults: Route, own: Route): Route {
  const isNamed = own.limit !== undefined || own.limits !== undefined;
  return { ...(isNamed ? routeParts(defaults).settings : defaults), ...own } as Route;
}
