/** The plugin: one limiter, settings that its routes share, and a setting for each route. */
import { badOption } from "../../../internal/index.ts";
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits, SpillwayError } from "../../../limits/core/index.ts";
import { perSetting, type RouteDecision, routeParts, sharedRoute } from "../../guard/index.ts";
import { type Hook, limited } from "./hook.ts";
import type {
  FastifyRoute,
  SharedFastifyRoute,
  UncheckedFastifyInstance,
  UncheckedFastifyReply,
  UncheckedFastifyRequest,
} from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The decision of the route's limits. If there are several routes, that of the last one. */
    spillway: RouteDecision | undefined;
  }
  interface FastifyContextConfig {
    /** The route's limits; false for none. Default: those of the plugin. */
    spillway?: RouteSetting<FastifyRequest, UncheckedFastifyReply>;
  }
}

/** A route's own setting, in `config.spillway`. */
export type RouteSetting<Req, Rep> = SharedFastifyRoute<Req, Rep> | false;

/** A limiter, and what all routes share: settings, and the limits of routes that name none. */
export type PluginOptions<
  Req = UncheckedFastifyRequest,
  Rep = UncheckedFastifyReply,
  L extends Limits = Limits,
> = SharedFastifyRoute<Req, Rep, L> & { readonly limiter: AnyLimiter<L> };

type AnyRouteSetting = RouteSetting<UncheckedFastifyRequest, UncheckedFastifyReply> | undefined;
type RouteOf = {
  readonly routeOptions: { readonly config?: { readonly spillway?: AnyRouteSetting } };
};

/**
 * Limits the routes of the instance that registers it, and of the instances inside.
 *
 * It decides as a first `onRequest` hook, before the body is read. If a route's functions need the
 * body, use `limited` as `preHandler` for that route.
 *
 * @throws SpillwayError if an option is invalid
 * @example
 * app.register(spillway, { limiter });
 * app.get("/search", { config: { spillway: { limit: "search" } } }, search);
 */
export async function spillway<L extends Limits>(
  app: UncheckedFastifyInstance,
  options: PluginOptions<UncheckedFastifyRequest, UncheckedFastifyReply, L>,
): Promise<void> {
  if (app.hasRequestDecorator("spillway")) throw registeredTwice();
  const hookOf = hooks(options as PluginOptions);
  app.decorateRequest("spillway", undefined);
  // Finds mistakes in a route when it is declared, if the plugin is loaded by then.
  app.addHook("onRoute", ({ config }: RouteOf["routeOptions"]) => void hookOf(config?.spillway));
  app.addHook(
    "onRequest",
    (
      request: UncheckedFastifyRequest & RouteOf,
      reply: UncheckedFastifyReply,
      next: () => void,
    ) => {
      const hook = hookOf(request.routeOptions.config?.spillway);
      if (hook === undefined) next();
      else hook(request, reply, next);
    },
  );
}

/** A route's setting would apply to both plugins, but only one of them has its limits. */
function registeredTwice(): SpillwayError {
  return badOption(
    "spillway",
    "a second registration",
    "one registration for an instance and its children; for another limiter, use the hook " +
      "`limited`",
  );
}

/**
 * Applies the plugin to the registering instance, not to a scope of its own, as `fastify-plugin`
 * does.
 */
Object.assign(spillway, {
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "spillway",
});

/** Returns a function that finds the hook of a route. Each hook is created once. */
function hooks({
  limiter,
  ...defaults
}: PluginOptions): (own: AnyRouteSetting) => Hook | undefined {
  const ofAll = limited(limiter, sharedRoute(defaults) as AnyFastifyRoute);
  return perSetting(ofAll, (own) => limited(limiter, merged(defaults, own)));
}

type AnyFastifyRoute = FastifyRoute<UncheckedFastifyRequest, UncheckedFastifyReply>;
type AnySharedRoute = SharedFastifyRoute<UncheckedFastifyRequest, UncheckedFastifyReply>;

/**
 * Merges a route with the plugin's options.
 *
 * A route that names limits inherits none of the plugin's limits, nor their `key`, `count`,
 * `config`, `reserve` and `settle`.
 */
function merged(defaults: AnySharedRoute, own: AnySharedRoute): AnyFastifyRoute {
  const isNamed = own.limit !== undefined || own.limits !== undefined;
  return { ...(isNamed ? routeParts(defaults).settings : defaults), ...own } as AnyFastifyRoute;
}
