/** A page in a real browser: its WebSockets are refused, closed, and slowed down. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { RateLimiter } from "../../src/limiter/index.ts";
import { limitMessages, limitUpgrades } from "../../src/sockets/index.ts";
import { chromiumPath, launch, WITHOUT } from "../chromium.ts";
import { closed, eventually, listen } from "./clients.ts";

const LIMITS = {
  connections: { kind: "concurrency", capacity: 2, ttl: "1m" },
  messages: { kind: "token bucket", rate: 3, period: "300ms" },
} as const;

/** In the page: sends messages at once, and returns how many came back, and how it ended. */
const RUN = `(path, count) => new Promise((resolve) => {
  const socket = new WebSocket(location.origin.replace("http", "ws") + path);
  let echoed = 0;
  socket.onopen = () => { for (let n = 0; n < count; n++) socket.send("message " + n); };
  socket.onmessage = () => { if (++echoed === count) { resolve({ echoed }); socket.close(); } };
  socket.onclose = ({ code, reason }) => resolve({ echoed, code, reason });
})`;

test.skipIf(chromiumPath === undefined)(
  `a page is refused, closed or slowed down ${WITHOUT}`,
  async () => {
    const limiter = new RateLimiter(LIMITS);
    const server = createServer((_, response) =>
      response.end("<!doctype html><title>page</title>"),
    );
    const sockets = new WebSocketServer({ server });
    limitUpgrades(server, limiter, { limit: "connections" });
    sockets.on("connection", (socket, { url }) => {
      limitMessages(socket, limiter, { messages: "messages", wait: url === "/slow" ? "1m" : 0 });
      socket.on("message", (data) => socket.send(data));
    });
    const free = () => limiter.value("connections", { key: "127.0.0.1" }).remaining;
    const port = await listen(server);
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      const run = (path: string, count: number) => page.evaluate(`(${RUN})("${path}", ${count})`);
      expect(await run("/fast", 100)).toMatchObject({ code: 1008, reason: "retry after 1 s" });
      expect(await run("/slow", 7)).toEqual({ echoed: 7 });
      await eventually(() => free() === 2);
      void run("/quiet", 0).catch(() => {});
      void run("/quiet", 0).catch(() => {});
      await eventually(() => free() === 0);
      expect(await run("/more", 1)).toMatchObject({ echoed: 0, code: 1006 });
      await page.close();
      await eventually(() => free() === 2);
    } finally {
      await browser.close();
      sockets.close();
      server.closeAllConnections();
      await closed(server);
    }
  },
);
