/** `/openapi.json`: the schemas of all routes, and their introduction. */
import type { SwaggerOptions } from "@fastify/swagger";
import { type FastifyInstance, fastify, type RouteOptions } from "fastify";
import { schemaController } from "./compiled.ts";

const openApi: SwaggerOptions = {
  openapi: {
    openapi: "3.1.0",
    info: {
      title: "Spillway",
      description: "Decides each request: admit it, or refuse it until a given time",
      version: "1",
    },
    components: {
      securitySchemes: {
        adminToken: { type: "http", scheme: "bearer", description: "SPILLWAY_ADMIN_TOKEN" },
        storeToken: { type: "http", scheme: "bearer", description: "SPILLWAY_STORE_TOKEN" },
      },
    },
  },
  // A schema keeps its own name in the document.
  refResolver: { buildLocalReference: (schema) => String(schema.$id) },
};

/** The routes of a server, and the named schemas that they refer to. */
type Described = { readonly routes: RouteOptions[]; readonly schemas: Map<string, unknown> };

/** Adds the route, which describes all routes that are added after it. */
export function addOpenApi(app: FastifyInstance): void {
  const described: Described = { routes: [], schemas: new Map() };
  app.addHook("onRoute", function (route) {
    described.routes.push(route);
    for (const [name, schema] of Object.entries(this.getSchemas())) {
      described.schemas.set(name, schema);
    }
  });
  let document: Promise<Buffer> | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    // Created at the first request, so that all responses are the same bytes.
    document ??= documentOf(described).catch((error: unknown) => {
      document = undefined;
      throw error;
    });
    return reply.type("application/json; charset=utf-8").send(await document);
  });
}

/** Few services are asked for it, so what writes it is loaded on demand. */
async function documentOf({ routes, schemas }: Described): Promise<Buffer> {
  const { default: swagger } = await import("@fastify/swagger");
  const app = fastify({ exposeHeadRoutes: false, schemaController });
  await app.register(swagger, openApi);
  for (const schema of schemas.values()) app.addSchema(schema);
  for (const { method, url, schema } of routes) {
    if (schema === undefined || schema.hide === true || method === "HEAD") continue;
    app.route({ method, url, schema, handler: async () => {} });
  }
  await app.ready();
  return Buffer.from(JSON.stringify(app.swagger()));
}
