/** A server of each framework, whose only limits are those of rules. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { RateLimiter } from "spillway";
import * as onExpress from "spillway/express";
import * as onFastify from "spillway/fastify";
import * as onFetch from "spillway/fetch";
import * as onHono from "spillway/hono";
import * as onKoa from "spillway/koa";
import * as onNode from "spillway/node";
import type { RuleLimits } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { startNest, startNestOnFastify } from "./nest-hosts.ts";

const limiter = new RateLimiter({});

/** Starts a server, and returns its URL. */
type Host = (limits: RuleLimits) => Promise<string>;

/** Serves a handler of `node:http` until the test ends. */
export function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** By the frameworks' names. Each trusts one proxy. */
export const HOSTS: Readonly<Record<string, Host>> = {
  "node:http": (limits) => {
    const route = { limits, trust: 1 } as const;
    return listen(onNode.limited(limiter, route, (_, response) => void response.end("served")));
  },
  express: (limits) => {
    const app = express().use("/", onExpress.limited(limiter, { limits, trust: 1 }));
    return listen(app.use((_, response) => void response.send("served")));
  },
  "express, below a path": (limits) => {
    const inner = express.Router();
    inner.use(onExpress.limited(limiter, { limits, trust: 1 }));
    inner.use((_, response) => void response.send("served"));
    return listen(express().use("/users", inner).use(inner));
  },
  fastify: async (limits) => {
    const app = fastify({ forceCloseConnections: true });
    app.addHook("onRequest", onFastify.limited(limiter, { limits, trust: 1 }));
    app.all("*", async () => "served");
    atEnd(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
  "fastify, by its plugin": async (limits) => {
    const app = fastify({ forceCloseConnections: true });
    app.register(onFastify.spillway, { limiter, limits, trust: 1 });
    app.register(async (all) => void all.all("*", async () => "served"));
    atEnd(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
  hono: (limits) => {
    const app = new Hono().use(onHono.limited(limiter, { limits, trust: 1 }));
    app.all("*", (context) => context.text("served"));
    return serveFetch(app.fetch);
  },
  fetch: (limits) => {
    const peer = () => "127.0.0.1";
    const route = { limits, trust: 1, peer } as const;
    return serveFetch(onFetch.limited(limiter, route, () => new Response("served")));
  },
  koa: (limits) => {
    const app = new Koa().use(onKoa.limited(limiter, { limits, trust: 1 }));
    app.use((context) => {
      context.body = "served";
    });
    return listen(app.callback());
  },
  nest: (limits) => startNest(limits),
  "nest, on fastify": startNestOnFastify,
  "koa, below a path": (limits) => {
    const app = new Koa().use(async (context, next) => {
      // As koa-mount does.
      if (context.path.startsWith("/users")) context.path = context.path.slice(6) || "/";
      await next();
    });
    app.use(onKoa.limited(limiter, { limits, trust: 1 }));
    app.use((context) => {
      context.body = "served";
    });
    return listen(app.callback());
  },
};

function serveFetch(fetch: Parameters<typeof serveHono>[0]["fetch"]): Promise<string> {
  return new Promise((resolve) => {
    const server = serveHono({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      resolve(`http://127.0.0.1:${port}`);
    });
    atEnd(() => {
      (server as { closeAllConnections?(): void }).closeAllConnections?.();
      server.close();
    });
  });
}
