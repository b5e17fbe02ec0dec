/** What `/openapi.json` says beside the routes, which describe themselves. */
import type { SwaggerOptions } from "@fastify/swagger";

export const openApi: SwaggerOptions = {
  openapi: {
    openapi: "3.1.0",
    info: {
      title: "Spillway",
      description: "Decides for every request: go, or no and when to come back",
      version: "1",
    },
    components: {
      securitySchemes: {
        adminToken: { type: "http", scheme: "bearer", description: "SPILLWAY_ADMIN_TOKEN" },
      },
    },
  },
  // A schema keeps its own name in the document.
  refResolver: { buildLocalReference: (schema) => String(schema.$id) },
};
