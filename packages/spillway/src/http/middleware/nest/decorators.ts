/** Decorators that set the limits of controllers and handlers, and one that reads the decision. */
import { createParamDecorator } from "@nestjs/common";
import type { SharedRoute } from "../../guard/index.ts";
import type { HandlerContext, NestContext, UncheckedNestRequest } from "./context.ts";

/** The routes of one handler or controller, from top to bottom; false for no limits. */
export type RouteMetadata = readonly SharedNestRoute[] | false;

/** A route, which may leave its limits to the module. */
export type SharedNestRoute<Req = UncheckedNestRequest> = SharedRoute<Req>;

type RouteDecorator = (target: object, name?: string | symbol, method?: PropertyDescriptor) => void;

/** The methods that `reflect-metadata` adds. Nest loads it. */
type ReflectMetadata = {
  getMetadata(key: symbol, target: object): RouteMetadata | undefined;
  getOwnMetadata(key: symbol, target: object): RouteMetadata | undefined;
  defineMetadata(key: symbol, said: RouteMetadata, target: object): void;
};

const metadata = Reflect as typeof Reflect & ReflectMetadata;

/** All copies of this library in a process share this key. */
const KEY = Symbol.for("spillway.limits");

/**
 * Limits a handler, or all handlers of a controller, by the limiter of `SpillwayModule`.
 *
 * If there are several at one place, their limits are taken together or not at all. The limits of a
 * handler replace those of its controller, and these replace the module's.
 */
export function Limited<Req = UncheckedNestRequest>(route: SharedNestRoute<Req>): RouteDecorator {
  return (target, _, method) => {
    const place = method?.value ?? target;
    const before = metadata.getOwnMetadata(KEY, place);
    metadata.defineMetadata(KEY, [route as SharedNestRoute, ...(before || [])], place);
  };
}

/** Exempts a handler, or all handlers of a controller, from the limits of `SpillwayModule`. */
export function SkipLimits(): RouteDecorator {
  return (target, _, method) => metadata.defineMetadata(KEY, false, method?.value ?? target);
}

/** Returns the routes of a handler or, if it has none, of its controller. */
export function saidOf(context: HandlerContext): RouteMetadata | undefined {
  const ofHandler = metadata.getMetadata(KEY, context.getHandler());
  return ofHandler ?? metadata.getMetadata(KEY, context.getClass());
}

/**
 * Injects the `RouteDecision` of the request into a handler's parameter; undefined without limits.
 */
export const Decided: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: NestContext) => context.switchToHttp().getRequest().spillway,
);
