/** Limits for Fastify 5: a plugin with a setting for each route, and a hook. */
export { limited } from "./hook.ts";
export { type PluginOptions, spillway } from "./plugin.ts";
export type { FastifyRoute } from "./route.ts";
