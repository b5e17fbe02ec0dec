/** The module: one limiter for an application, what its routes have in common, and what each says. */
import type { AnyLimiter } from "../../../limiter/index.ts";
import type { Limits } from "../../../limits/core/index.ts";
import { perSetting, routeParts } from "../../guard/index.ts";
import type { HandlerContext, LooseRequest } from "./context.ts";
import { type Said, saidOf } from "./decorators.ts";
import { limited, type NestRoute, type RouteGuard } from "./limited.ts";

/** A limiter, and what all routes have in common: settings, or limits for those that have none. */
export type ModuleOptions<L extends Limits = Limits> = NestRoute<LooseRequest, L> & {
  readonly limiter: AnyLimiter<L>;
};

/** Options that a factory makes of what is injected. */
export type AsyncModuleOptions = {
  // biome-ignore-start lint/suspicious/noExplicitAny: modules, tokens and what stands for them are Nest's
  readonly imports?: any[];
  readonly inject?: any[];
  readonly useFactory: (...injected: any[]) => unknown;
  // biome-ignore-end lint/suspicious/noExplicitAny: to here
};

/** The token of Nest for guards of a whole application: `APP_GUARD` of `@nestjs/core`. */
const APP_GUARD = "APP_GUARD";

/** Limits the HTTP handlers of an application. */
// biome-ignore lint/complexity/noStaticOnlyClass: Nest knows modules by their classes
export class SpillwayModule {
  /**
   * @throws SpillwayError where the options say what they can't
   * @example
   * imports: [SpillwayModule.forRoot({ limiter })]
   */
  static forRoot<const L extends Limits>(options: ModuleOptions<L>) {
    const useValue = guardOf(options as ModuleOptions);
    return { module: SpillwayModule, providers: [{ provide: APP_GUARD, useValue }] };
  }

  /** The same with options that `useFactory` returns, or promises. */
  static forRootAsync({ imports = [], inject = [], useFactory }: AsyncModuleOptions) {
    const made = async (...injected: unknown[]) =>
      guardOf((await useFactory(...injected)) as ModuleOptions);
    const provider = { provide: APP_GUARD, inject, useFactory: made };
    return { module: SpillwayModule, imports, providers: [provider] };
  }
}

/** Makes the guard of an application, which has one for each place where something is said. */
function guardOf({ limiter, ...defaults }: ModuleOptions): RouteGuard<HandlerContext> {
  const guardFor = perSetting(limited(limiter, defaults), (said: readonly NestRoute[]) =>
    limited(limiter, routeOf(defaults, said)),
  ) as (said: Said | undefined) => RouteGuard | undefined;
  return { canActivate: (context) => guardFor(saidOf(context))?.canActivate(context) ?? true };
}

/** A route that names limits has none of the module's. */
function routeOf(defaults: NestRoute, said: readonly NestRoute[]): NestRoute {
  const all = said.map(routeParts);
  const own = all.flatMap(({ limits }) => limits ?? []);
  const base = routeParts(defaults);
  const settings = all.toReversed().map(({ settings }) => settings);
  const limits = all.some(({ limits }) => limits !== undefined) ? own : (base.limits ?? []);
  return Object.assign({}, base.settings, ...settings, { limits });
}
