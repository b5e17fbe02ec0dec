/** What can't be limited, or is said wrongly, is refused before anything is touched. */
import { EventEmitter } from "node:events";
import { createServer as http, type Server } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import {
  closeOf,
  limitConnections,
  limitMessages,
  limitUpgrades,
} from "../../src/sockets/index.ts";
import type { MessageSocket } from "../../src/sockets/messages/messages.ts";
import { Client, closed, eventually, listen } from "./clients.ts";

const limiter = new RateLimiter({
  connects: { kind: "token bucket", rate: 10, period: "1m" },
  connections: { kind: "concurrency", capacity: 2, ttl: "1m" },
});

type Route = Parameters<typeof limitConnections>[2];

test.each<[string, string, unknown]>([
  ["bad-option", "limits", {}],
  ["bad-option", "limits", undefined],
  ["bad-option", "limits", { limits: [] }],
  ["unknown-limit", "limit", { limit: "connect" }],
  ["unknown-field", "limt", { limit: "connects", limt: 5 }],
  ["bad-option", "headers", { limit: "connects", headers: "draft" }],
  ["bad-option", "trust", { limit: "connects", trust: 1 }],
  ["bad-option", "maxPending", { limit: "connects", maxPending: 0 }],
  ["bad-option", "lastWords", { limit: "connects", lastWords: "bye" }],
])("%s of %s, for connections: %j", (code, field, route) => {
  const server = http();
  const { emit } = server;
  const limit = () => limitConnections(server, limiter as never, route as Route);
  expect(limit).toThrow(expect.objectContaining({ code, field }));
  expect(server.emit).toBe(emit);
});

test.each<[string, string, unknown]>([
  ["bad-option", "limits", {}],
  ["unknown-limit", "limit", { limit: "connect" }],
  ["bad-option", "maxPending", { limit: "connects", maxPending: 1.5 }],
])("%s of %s, for upgrades: %j", (code, field, route) => {
  const limit = () => limitUpgrades(http(), limiter as never, route as never);
  expect(limit).toThrow(expect.objectContaining({ code, field }));
});

test.each([undefined, {}, "server"])("%j is no server", (server) => {
  const problem = expect.objectContaining({ code: "bad-option", field: "server" });
  const limit = () => limitConnections(server as unknown as Server, limiter, { limit: "connects" });
  expect(limit).toThrow(problem);
});

test.each<[string, string, unknown]>([
  ["bad-option", "messages", {}],
  ["unknown-limit", "messages", { messages: "message" }],
  ["wrong-kind", "bytes", { bytes: "connections" }],
  ["bad-option", "key", { messages: "connects", key: 5 }],
  ["bad-wait", "wait", { messages: "connects", wait: "soon" }],
  ["bad-wait", "wait", { messages: "connects", wait: "soon", shadow: true }],
  ["bad-option", "shadow", { messages: "connects", shadow: "yes" }],
  ["unknown-field", "message", { messages: "connects", message: 1 }],
])("%s of %s, for messages: %j", (code, field, options) => {
  const none = () => {};
  const socket = Object.assign(new EventEmitter(), { pause: none, resume: none, close: none });
  const limit = () => limitMessages(socket as unknown as MessageSocket, limiter, options as never);
  expect(limit).toThrow(expect.objectContaining({ code, field }));
});

test("a WebSocket of a browser's kind is refused with a way out", () => {
  const limit = () => limitMessages({} as MessageSocket, limiter, { messages: "connects" });
  expect(limit).toThrow(/closeOf/);
});

test.each([
  ["limited", 1500, 1008, "retry after 2 s"],
  ["blocked", Number.POSITIVE_INFINITY, 1008, ""],
  ["too large", Number.POSITIVE_INFINITY, 1009, "message too big"],
  ["shed", 1000, 1013, "retry after 1 s"],
  ["unavailable", 10, 1013, "retry after 1 s"],
] as const)("%s closes with a code", (reason, retryAfter, code, text) => {
  expect(closeOf({ reason, retryAfter })).toEqual({ code, reason: text });
});

test("a Unix socket has no address: it is refused and said, unless there is a key", async () => {
  const path = join(tmpdir(), `spillway-${process.pid}-${performance.now()}.sock`);
  const server = createServer((socket) => socket.end("hello"));
  const failed: unknown[] = [];
  const onEvent = (event: unknown) => failed.push(event);
  limitConnections(server, limiter, { limit: "connections", onEvent });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => closed(server));
  const end = await new Promise((resolve) =>
    connect(path)
      .once("close", resolve)
      .on("error", () => {})
      .resume(),
  );
  expect(end).toBeDefined();
  expect(failed).toMatchObject([{ type: "failed", field: "key", error: { code: "bad-key" } }]);
});

test("a client that is refused and never reads is let go; so is one that throws last words away", async () => {
  const server = createServer((socket) => socket.destroy());
  const none = new RateLimiter({
    none: { kind: "token bucket", rate: 1, period: "1h", capacity: 0 },
  });
  let words: () => string = () => "x".repeat(10_000_000);
  limitConnections(server, none, { limit: "none", lastWords: () => words() });
  const port = await listen(server);
  onTestFinished(() => closed(server));
  const count = () => new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)));
  const slow = new Client(port);
  slow.socket.pause();
  await eventually(async () => (await count()) === 1);
  await eventually(async () => (await count()) === 0);
  words = () => {
    throw new Error("no words");
  };
  expect((await new Client(port).ended).code).toBe("ECONNRESET");
});

test("two limits on one server both count; other events go straight on", async () => {
  const server = http((_, response) => response.end("served"));
  const one = new RateLimiter({ few: { kind: "token bucket", rate: 1, period: "1h" } });
  limitConnections(server, limiter, { limit: "connections", key: "two" });
  limitConnections(server, one, { limit: "few" });
  const port = await listen(server);
  onTestFinished(() => closed(server));
  const first = new Client(port, { say: "GET / HTTP/1.1\r\nHost: a\r\n\r\n" });
  await first.heard(/served/);
  expect(limiter.value("connections", { key: "two" }).remaining).toBe(1);
  expect((await new Client(port).ended).code).toBe("ECONNRESET");
  await first.close();
  await eventually(() => limiter.value("connections", { key: "two" }).remaining === 2);
});
