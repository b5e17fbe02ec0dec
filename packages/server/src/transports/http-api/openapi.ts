/** `/openapi.json`: the schemas of all routes, and their introduction. */
import swagger, { type SwaggerOptions } from "@fastify/swagger";
import type { FastifyInstance } from "fastify";

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

/** Adds the route, which describes all routes that are added after it. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, openApi);
  let document: Buffer | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    // Created at the first request, so that all responses are the same bytes.
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type("application/json; charset=utf-8").send(document);
  });
}
