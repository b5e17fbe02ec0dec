import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OnRequest, RequestTrace } from "../../service/index.ts";

/** Traces every request of a scope, from its headers to its response. */
export function traceRequests(app: FastifyInstance, onRequest: OnRequest): void {
  const traces = new WeakMap<FastifyRequest, RequestTrace>();
  app.addHook("onRequest", (request, reply, proceed) => {
    const { method, headers, routeOptions } = request;
    const name = `${method} ${routeOptions.url ?? "other"}`;
    const trace = onRequest({ transport: "http", name, headers });
    if (trace !== undefined) {
      traces.set(request, trace);
      reply.raw.once("close", () => trace.end(reply.raw.statusCode));
    }
    proceed();
  });
  // The last hook, because requests that were gathered proceed together.
  app.addHook("preHandler", (request, _reply, proceed) => {
    const trace = traces.get(request);
    if (trace === undefined) proceed();
    else trace.run(proceed);
  });
}
