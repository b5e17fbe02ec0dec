import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type HonoRoute, limited } from "../../../../src/http/middleware/hono/index.ts";
import { RateLimitError } from "../../../../src/limits/core/index.ts";
import { type AnyRoute, type Host, listening } from "../host.ts";
import { responseOf } from "./fetch.ts";

/** Hono, behind the server of `@hono/node-server`. */
export const honoHost: Host = {
  name: "hono",
  lacks: {
    "a key that reads a body which was not sent": "its requests have no place for a parsed body",
    "a key that reads a body which lacks the field": "its requests have no place for a parsed body",
    "a key that reads a body": "its requests have no place for a parsed body",
  },
  header: (context: Context, name) => context.req.header(name),
  start: ({ limiter, routes, handle }) => {
    const app = new Hono();
    app.onError((error, c) =>
      error instanceof RateLimitError ? error.getResponse() : c.text("thrown", 500),
    );
    for (const route of routes) app.use(limited(limiter, ofHono(route)));
    app.all("*", (c) => responseOf(handle, c.var.spillway));
    return listening(createServer(getRequestListener(app.fetch)));
  },
};

function ofHono({ ownAnswer, ...route }: AnyRoute): HonoRoute<Context> {
  if (ownAnswer === undefined) return route as HonoRoute<Context>;
  return {
    ...route,
    onLimited: (c, { status }) => c.body(ownAnswer, status as 429),
  } as HonoRoute<Context>;
}
