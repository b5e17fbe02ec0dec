import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OnRequest, RequestTrace } from "../../service/index.ts";

/** Has every request of a scope traced, from its headers to its answer. */
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
  // Last of all, as what gathers requests lets them proceed together.
  app.addHook("preHandler", (request, _reply, proceed) => {
    const trace = traces.get(request);
    if (trace === undefined) proceed();
    else trace.run(proceed);
  });
}
