/** Limits for Fastify 5: a plugin with a setting of routes, and a hook. */
export { type Hook, limited } from "./hook.ts";
export { type PluginOptions, type RouteSetting, spillway } from "./plugin.ts";
export type {
  FastifyRoute,
  LooseInstance,
  LooseReply,
  LooseRequest,
} from "./route.ts";
