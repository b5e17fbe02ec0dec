/** Frameworks by name, in the order in which tables show them. */
import type { Framework } from "../framework.ts";
import { expressFramework } from "./express.ts";
import { fastifyFramework } from "./fastify.ts";
import { hono } from "./hono.ts";
import { node } from "./node.ts";

export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  Fastify: fastifyFramework,
  Express: expressFramework,
  Hono: hono,
  "node:http": node,
};
