/**
 * What the library adds to of Fastify's types, in place of the real ones while it is compiled: those
 * bring the types of Node, which the library does not rely on. Tests and users have the real ones.
 */
declare module "fastify" {
  export interface FastifyRequest {
    readonly raw: import("../src/http/guard/index.ts").NodeRequest;
  }
  export interface FastifyContextConfig {}
}
