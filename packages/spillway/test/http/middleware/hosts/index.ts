import type { Host } from "../host.ts";
import { expressHosts } from "./express.ts";
import { fastifyHosts } from "./fastify.ts";
import { fetchHost } from "./fetch.ts";
import { honoHost } from "./hono.ts";
import { koaHost } from "./koa.ts";
import { nestHosts } from "./nest.ts";
import { nodeHost } from "./node.ts";

/** All adapters, on all that they run on. */
export const HOSTS: readonly Host[] = [
  nodeHost,
  ...expressHosts,
  ...fastifyHosts,
  honoHost,
  koaHost,
  fetchHost,
  ...nestHosts,
];
