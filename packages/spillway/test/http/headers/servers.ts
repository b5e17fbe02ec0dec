/** Servers of real frameworks with nothing but a handler that throws. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express, { type Express } from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";

/** Express 4, of which no types are here. */
const express4 = createRequire(import.meta.url)("express-4") as () => Express;

/** What runs for each request. */
type Handler = () => void | Promise<void>;

/** Makes a server, and how to end it. */
type Framework = (handler: Handler) => Promise<RequestListener>;

/** By their names; each as its own documentation begins, and set for production. */
export const FRAMEWORKS: { readonly [name: string]: Framework } = {
  fastify: async (handler) => {
    const app = fastify();
    app.get("/", async () => handler());
    await app.ready();
    return (request, response) => app.routing(request, response);
  },
  "express 5": async (handler) => {
    const app = express().set("env", "production");
    app.get("/", async () => handler());
    return app;
  },
  // Express 4 doesn't look at the promises of handlers: they pass errors on.
  "express 4": async (handler) => {
    const app = express4().set("env", "production");
    app.get("/", (_request, _response, next) => {
      Promise.resolve().then(handler).catch(next);
    });
    return app;
  },
  koa: async (handler) => {
    const app = new Koa({ env: "production" });
    app.use(async () => handler());
    return app.callback();
  },
  hono: async (handler) => {
    const app = new Hono();
    app.get("/", async (context) => {
      await handler();
      return context.text("");
    });
    return getRequestListener(app.fetch);
  },
};

/** Listens while a function asks: it is given the server's address. */
export async function serving<T>(
  listener: RequestListener,
  ask: (url: string) => Promise<T>,
): Promise<T> {
  const server: Server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
