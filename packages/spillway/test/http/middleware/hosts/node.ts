import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { limited, type NodeRoute } from "../../../../src/http/middleware/node/index.ts";
import { type AnyRoute, type Host, listening, nodeHeader, type Site, write } from "../host.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Bare `node:http`. */
export const nodeHost: Host = {
  name: "node",
  header: nodeHeader,
  lacks: {
    "a key that reads a body which lacks the field": "node:http has no parser of bodies",
    "a key that reads a body": "node:http has no parser of bodies",
    "a refusal is thrown to the framework": "node:http has no error handlers",
    "a failure is thrown to the framework": "node:http has no error handlers",
    "a failure that is no error is thrown to the framework as one":
      "node:http has no error handlers",
  },
  start: (site) => listening(createServer(listenerOf(site))),
};

/** Routes around the handler, the last one nearest to it. */
export function listenerOf({ limiter, routes, handle }: Site): Handler {
  const handler: Handler = async (request, response) => {
    try {
      await write(response, await handle((request as { spillway?: never }).spillway));
    } catch {
      response.statusCode = 500;
      response.end("thrown");
    }
  };
  return routes.reduceRight(
    (next: Handler, route) => limited(limiter, ofNode(route), next) as Handler,
    handler,
  );
}

/** A route as the adapter takes it. */
function ofNode({ ownAnswer, ...route }: AnyRoute): NodeRoute<IncomingMessage, ServerResponse> {
  if (ownAnswer === undefined) return route;
  return { ...route, onLimited: (_, response) => response.end(ownAnswer) };
}
