/** Limits for NestJS, on Express and on Fastify: a module, decorators, and a guard. */
export type { RouteDecision } from "../../guard/index.ts";
export { Decided, Limited, SkipLimits } from "./decorators.ts";
export { limited, type NestRoute } from "./limited.ts";
export { type AsyncModuleOptions, type ModuleOptions, SpillwayModule } from "./module.ts";
export { RefusalException, RefusalFilter } from "./refusal.ts";
