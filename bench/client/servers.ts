/**
 * Run as a process of its own: three servers, each with a limit for all. Reports their ports when they listen,
 * and to a message what each has answered.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { rateLimit } from "express-rate-limit";
import Fastify from "fastify";
import { RateLimiter } from "spillway";
import { limited } from "spillway/node";
import { type Message, RATE, type Report, type Seen, type ServerName, WINDOW } from "./setting.ts";

const most = (RATE * WINDOW) / 1000;

async function withExpress(): Promise<Server> {
  const app = express();
  const headers = { standardHeaders: "draft-6", legacyHeaders: false } as const;
  app.use(rateLimit({ ...headers, windowMs: WINDOW, limit: most, keyGenerator: () => "all" }));
  app.get("/", (_, response) => void response.send("ok"));
  return createServer(app);
}

async function withFastify(): Promise<Server> {
  const app = Fastify();
  const { default: rateLimit } = await import("@fastify/rate-limit");
  await app.register(rateLimit, { max: most, timeWindow: WINDOW, keyGenerator: () => "all" });
  app.get("/", async () => "ok");
  await app.ready();
  return app.server;
}

async function withOurs(): Promise<Server> {
  const limiter = new RateLimiter({ api: { kind: "token bucket", rate: RATE, period: "1s" } });
  const route = { limit: "api", key: "all" } as const;
  return createServer(limited(limiter, route, (_, response) => void response.end("ok")));
}

const starts = {
  "express-rate-limit": withExpress,
  "@fastify/rate-limit": withFastify,
  spillway: withOurs,
} satisfies Partial<Record<ServerName, () => Promise<Server>>>;

const seen: { [name: string]: Seen[] } = {};
const ports: { [name: string]: number } = {};
const servers: { [name: string]: Server } = {};
for (const [name, start] of Object.entries(starts)) {
  const server = await start();
  const list: Seen[] = [];
  seen[name] = list;
  servers[name] = server;
  server.on("request", (_, response) => {
    response.once("finish", () => list.push({ at: Date.now(), status: response.statusCode }));
  });
  await listen(server, 0);
  ports[name] = (server.address() as AddressInfo).port;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((listening) => server.listen(port, "127.0.0.1", listening));
}

/** They refuse connections, and end those that there are. */
function goDown(): void {
  for (const server of Object.values(servers)) server.close().closeAllConnections();
}

async function comeBack(): Promise<void> {
  for (const [name, server] of Object.entries(servers)) await listen(server, ports[name] as number);
}

let before = performance.eventLoopUtilization();
let busy = 0;

const actions: { readonly [M in Message]: () => void } = {
  measured() {
    before = performance.eventLoopUtilization();
  },
  down() {
    busy = performance.eventLoopUtilization(before).utilization;
    goDown();
  },
  up: comeBack,
  report: () => process.send?.({ seen, busy } satisfies Report),
};
process.on("message", (message: Message) => actions[message]());
process.on("disconnect", () => process.exit());
process.send?.(ports);
