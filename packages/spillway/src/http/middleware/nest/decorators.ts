/** What controllers and handlers say of their limits, and what these have decided. */
import { createParamDecorator } from "@nestjs/common";
import type { Context, HandlerContext, LooseRequest } from "./context.ts";
import type { NestRoute } from "./limited.ts";

/** What is said at one place: routes from top to bottom, or false for none. */
export type Said = readonly NestRoute[] | false;

type Place = (target: object, name?: string | symbol, method?: PropertyDescriptor) => void;

/** What `reflect-metadata` adds, which Nest loads. */
type Metadata = {
  getMetadata(key: symbol, target: object): Said | undefined;
  getOwnMetadata(key: symbol, target: object): Said | undefined;
  defineMetadata(key: symbol, said: Said, target: object): void;
};

const metadata = Reflect as typeof Reflect & Metadata;

/** One for all copies of the library. */
const KEY = Symbol.for("spillway.limits");

/**
 * Limits a handler, or all handlers of a controller, by the limiter of `SpillwayModule`.
 *
 * Of several at one place, all limits are taken together or not at all. A handler's are in place of its
 * controller's, and these in place of the module's.
 */
export function Limited<Req = LooseRequest>(route: NestRoute<Req>): Place {
  return (target, _, method) => {
    const place = method?.value ?? target;
    const before = metadata.getOwnMetadata(KEY, place);
    metadata.defineMetadata(KEY, [route as NestRoute, ...(before || [])], place);
  };
}

/** A handler, or all handlers of a controller, that `SpillwayModule` does not limit. */
export function SkipLimits(): Place {
  return (target, _, method) => metadata.defineMetadata(KEY, false, method?.value ?? target);
}

/** What is said of a handler, at the place nearest to it. */
export function saidOf(context: HandlerContext): Said | undefined {
  const ofHandler = metadata.getMetadata(KEY, context.getHandler());
  return ofHandler ?? metadata.getMetadata(KEY, context.getClass());
}

/** A handler's parameter: the `RouteDecision` of its request; undefined where it has no limits. */
export const Decided: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: Context) => context.switchToHttp().getRequest().spillway,
);
