/**
 * The module: one limiter for an application, settings that its routes share, and those of each
 * route.
 */
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import { perSetting, routeParts, type SharedRoute, sharedRoute } from "../../guard/index.ts";
import type { HandlerContext, UncheckedNestRequest } from "./context.ts";
import { type RouteMetadata, type SharedNestRoute, saidOf } from "./decorators.ts";
import { limited, type NestRoute, type RouteGuard } from "./limited.ts";

/** A limiter, and what all routes share: settings, and the limits of routes that name none. */
export type ModuleOptions<L extends Limits = Limits> = SharedRoute<UncheckedNestRequest, L> & {
  readonly limiter: AnyLimiter<L>;
};

/** Options that a factory creates from injected values. */
export type AsyncModuleOptions = {
  // biome-ignore-start lint/suspicious/noExplicitAny: modules and tokens are Nest's
  readonly imports?: any[];
  readonly inject?: any[];
  readonly useFactory: (...injected: any[]) => unknown;
  // biome-ignore-end lint/suspicious/noExplicitAny: to here
};

/** Nest's token for guards of a whole application: `APP_GUARD` of `@nestjs/core`. */
const APP_GUARD = "APP_GUARD";

/** Limits the HTTP handlers of an application. */
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their classes
export class SpillwayModule {
  /**
   * Creates the module from options.
   *
   * @throws SpillwayError if an option is invalid
   * @example
   * imports: [SpillwayModule.forRoot({ limiter })]
   */
  static forRoot<const L extends Limits>(options: ModuleOptions<L>) {
    const useValue = guardOf(options as ModuleOptions);
    return { module: SpillwayModule, providers: [{ provide: APP_GUARD, useValue }] };
  }

  /** Creates the module from options that `useFactory` returns, at once or as a promise. */
  static forRootAsync({ imports = [], inject = [], useFactory }: AsyncModuleOptions) {
    const made = async (...injected: unknown[]) =>
      guardOf((await useFactory(...injected)) as ModuleOptions);
    const provider = { provide: APP_GUARD, inject, useFactory: made };
    return { module: SpillwayModule, imports, providers: [provider] };
  }
}

/**
 * Creates the guard of an application. It creates one guard for each decorated handler or
 * controller.
 */
function guardOf({ limiter, ...defaults }: ModuleOptions): RouteGuard<HandlerContext> {
  const ofAll = limited(limiter, sharedRoute(defaults) as NestRoute);
  const guardFor = perSetting(ofAll, (said: readonly SharedNestRoute[]) =>
    limited(limiter, routeOf(defaults, said)),
  ) as (said: RouteMetadata | undefined) => RouteGuard | undefined;
  return { canActivate: (context) => guardFor(saidOf(context))?.canActivate(context) ?? true };
}

/**
 * Merges decorators with the module's options. A route that names limits has none of the module's.
 */
function routeOf(defaults: SharedNestRoute, said: readonly SharedNestRoute[]): NestRoute {
  const all = said.map(routeParts);
  const own = all.flatMap(({ limits }) => limits ?? []);
  const base = routeParts(defaults);
  const settings = all.toReversed().map(({ settings }) => settings);
  const limits = all.some(({ limits }) => limits !== undefined) ? own : base.limits;
  return Object.assign({}, base.settings, ...settings, limits && { limits });
}
