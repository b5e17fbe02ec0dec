import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { limited } from "spillway/hono";
import type { Framework } from "../framework.ts";
import { ADMITTED, AMPLE, BODY, KEY, REFUSED, SCARCE } from "../requests.ts";
import { limiterAt, routes } from "../spillway.ts";

const answer = (context: Context) => context.json(BODY);
const keyOf = (context: Context) => context.req.header(KEY) ?? "";

function serve(admitted?: MiddlewareHandler, refused?: MiddlewareHandler): Server {
  const app = new Hono();
  if (admitted === undefined || refused === undefined)
    app.get(ADMITTED, answer).get(REFUSED, answer);
  else app.get(ADMITTED, admitted, answer).get(REFUSED, refused, answer);
  return createAdaptorServer({ fetch: app.fetch }) as Server;
}

function usual({ rate, period }: { readonly rate: number; readonly period: number }) {
  const standardHeaders = "draft-7";
  return rateLimiter({ windowMs: period, limit: rate, standardHeaders, keyGenerator: keyOf });
}

export const hono: Framework = {
  peer: "hono-rate-limiter",
  bare: async () => serve(),
  async spillway(place) {
    const limiter = limiterAt(place);
    const { admitted, refused } = routes(keyOf);
    return serve(limited(limiter, admitted), limited(limiter, refused));
  },
  usual: async () => serve(usual(AMPLE), usual(SCARCE)),
};
