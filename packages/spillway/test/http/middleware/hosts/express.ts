import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import express, { type Express } from "express";
import { type ExpressRoute, limited } from "../../../../src/http/middleware/express/index.ts";
import { type AnyRoute, type Host, listening, nodeHeader, write } from "../host.ts";

/** Express 4, of which no types are here. */
const express4 = createRequire(import.meta.url)("express-4") as () => Express;

/** Express 5 and 4. */
export const expressHosts: readonly Host[] = [
  hostOf("express 5", express),
  hostOf("express 4", express4),
];

function hostOf(name: string, make: () => Express): Host {
  return {
    name,
    header: nodeHeader,
    start: ({ limiter, routes, handle }) => {
      const app = make().set("env", "test").use(express.json());
      for (const route of routes) app.use(limited(limiter, ofExpress(route)));
      app.use((request, response, next) => {
        Promise.resolve()
          .then(() => handle(request.spillway))
          .then((reply) => write(response, reply))
          .catch(next);
      });
      return listening(createServer(app));
    },
  };
}

function ofExpress({
  ownAnswer,
  ...route
}: AnyRoute): ExpressRoute<IncomingMessage, ServerResponse> {
  if (ownAnswer === undefined) return route;
  return { ...route, onLimited: (_, response) => response.end(ownAnswer) };
}
