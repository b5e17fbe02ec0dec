/** `/metrics`: the numbers of a service, for its operator. */
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../service/index.ts";
import type { Admit } from "./access.ts";
import { retryAfterHeader } from "./refuse.ts";
import { adminOnly, problemResponse } from "./responses.ts";

/** The page. */
export type MetricsPage = {
  readonly contentType: string;
  /** Writes the page in parts, only as fast as it is read. */
  readonly text: () => AsyncIterable<string>;
};

type MetricsRouteOptions = { readonly metrics: MetricsPage; readonly admitMetrics: Admit };

/** The maximum number of scrapes at once. An unread one is held until its connection is cut. */
const MOST_SCRAPES = 4;
const SOON = 1000;

/** Adds the route. */
export async function metricsRoute(
  app: FastifyInstance,
  { metrics, admitMetrics }: MetricsRouteOptions,
): Promise<void> {
  let scrapes = 0;
  app.get("/metrics", { schema, onRequest: admitMetrics }, async (_request, reply) => {
    if (scrapes >= MOST_SCRAPES) throw tooMany();
    scrapes++;
    reply.raw.once("close", () => {
      scrapes--;
    });
    return reply.type(metrics.contentType).send(Readable.from(metrics.text()));
  });
}

function tooMany(): RequestError {
  const detail = `Found ${MOST_SCRAPES} scrapes of metrics in progress, expected fewer; try again`;
  const headers = retryAfterHeader(SOON);
  return new RequestError({ status: 503, code: "unavailable", detail, headers });
}

const schema = {
  summary: "Metrics for Prometheus",
  security: adminOnly.security,
  response: {
    200: {
      description: "Series in Prometheus' text format",
      content: { "text/plain": { schema: { type: "string" } } },
    },
    401: problemResponse("The metrics token is required"),
    403: problemResponse("A token is required, or the request comes from a web page"),
    503: problemResponse("Too many scrapes at once"),
  },
};
