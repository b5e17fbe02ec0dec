/** Servers of WebSockets, each with the same limits, by the same lines. */
import { createServer, type Server } from "node:http";
import websocket from "@fastify/websocket";
import { createAdaptorServer, upgradeWebSocket } from "@hono/node-server";
import fastify from "fastify";
import { Hono } from "hono";
import { WebSocket, WebSocketServer } from "ws";
import type { RateLimiter } from "../../src/limiter/index.ts";
import { limitMessages, limitUpgrades, type MessageOptions } from "../../src/sockets/index.ts";

export const LIMITS = {
  connects: { kind: "token bucket", rate: 10, period: "1m" },
  connections: { kind: "concurrency", capacity: 2, ttl: "1m" },
  messages: { kind: "token bucket", rate: 3, period: "1s" },
  bytes: { kind: "token bucket", rate: 1000, period: "1s" },
} as const;

export type Limiter = RateLimiter<typeof LIMITS, "now"> | RateLimiter<typeof LIMITS, "later">;

export type Site = {
  readonly limiter: Limiter;
  readonly messages: MessageOptions<typeof LIMITS>;
  /** What the application received. */
  readonly received: string[];
  /** Where the application hears that a connection has ended. */
  readonly onClose?: (() => void) | undefined;
};

const UPGRADES = { limits: [{ limit: "connects" }, { limit: "connections" }] } as const;

/** Echoes, with what each framework has for that. */
export const HOSTS: { readonly [name: string]: (site: Site) => Promise<Server> } = {
  async ws({ limiter, messages, received, onClose = () => {} }) {
    const server = createServer();
    const sockets = new WebSocketServer({ server, maxPayload: 10_000 });
    limitUpgrades(server, limiter as never, UPGRADES);
    sockets.on("connection", (socket) => {
      limitMessages(socket, limiter as never, messages as never);
      socket.on("error", () => {});
      socket.on("close", onClose);
      socket.on("message", (data) => {
        received.push(String(data));
        socket.send(String(data));
      });
    });
    return server;
  },
  async fastify({ limiter, messages, received }) {
    const app = fastify();
    await app.register(websocket, { options: { maxPayload: 10_000 } });
    limitUpgrades(app.server, limiter as never, UPGRADES);
    app.get("/", { websocket: true }, (socket) => {
      limitMessages(socket, limiter as never, messages as never);
      socket.on("message", (data) => {
        received.push(String(data));
        socket.send(String(data));
      });
    });
    await app.ready();
    return app.server;
  },
  async hono({ limiter, messages, received }) {
    const app = new Hono();
    const handle = upgradeWebSocket(() => ({
      onOpen: (_, { raw }) => limitMessages(raw as WebSocket, limiter as never, messages as never),
      onMessage({ data }, socket) {
        received.push(String(data));
        socket.send(String(data));
      },
    }));
    app.get("/", handle);
    const sockets = new WebSocketServer({ noServer: true, maxPayload: 10_000 });
    const options = { fetch: app.fetch, websocket: { server: sockets as never } };
    const server = createAdaptorServer(options) as Server;
    limitUpgrades(server, limiter as never, UPGRADES);
    return server;
  },
};

/** What a client of WebSockets meets. */
export type Refused = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
};

/** Opens a WebSocket; where the handshake is refused, that is what is returned. */
export function open(port: number): Promise<WebSocket | Refused> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
    socket.once("unexpected-response", async (_, response) => {
      let body = "";
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
  });
}

/** The code and the reason with which it is closed. */
export function closing(socket: WebSocket): Promise<readonly [number, string]> {
  return new Promise((resolve) =>
    socket.once("close", (code, reason) => resolve([code, String(reason)])),
  );
}
