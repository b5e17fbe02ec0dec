/** Connections are refused before a byte is parsed, and leases end with them. */
import { createServer as http } from "node:http";
import { createServer as https } from "node:https";
import { createServer, type Socket } from "node:net";
import { connect as tls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Store } from "../../src/limits/core/index.ts";
import { limitConnections } from "../../src/sockets/index.ts";
import { type MemoryStore, memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { certificate } from "./certificate.ts";
import { Client, closed, eventually, listen } from "./clients.ts";

const LIMITS = {
  connects: { kind: "token bucket", rate: 5, period: "1m" },
  connections: { kind: "concurrency", capacity: 2, ttl: "1m" },
} as const;

/** A store that answers when it is let. */
function slow(store: MemoryStore) {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const execute = (command: never) =>
    new Promise((resolve) => {
      const answer = () => resolve(store.execute(command));
      if (isOpen) answer();
      else waiting.push(answer);
    });
  const go = () => {
    isOpen = true;
    for (const answer of waiting.splice(0)) answer();
  };
  return { store: { timing: "later", execute } as unknown as Store<"later">, waiting, go };
}

function memory() {
  const clock = manualClock();
  const store = memoryStore({ clock });
  return { clock, store };
}

/** An HTTP server that counts what it parses. */
function site(server = http()) {
  const seen: string[] = [];
  server.on("request", (request, response) => {
    seen.push(request.url ?? "");
    response.end("served");
  });
  return { server, seen };
}

const GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

test("beyond the concurrency of an address connections are reset; an end makes room", async () => {
  const { server, seen } = site();
  const limiter = new RateLimiter(LIMITS, { store: memory().store });
  limitConnections(server, limiter, { limit: "connections" });
  const port = await listen(server);
  const [one, two] = [new Client(port, { say: GET }), new Client(port, { say: GET })];
  onTestFinished(() => closed(server, [one, two]));
  await Promise.all([one.heard(/served/), two.heard(/served/)]);
  expect(await new Client(port, { say: GET }).ended).toEqual({ text: "", code: "ECONNRESET" });
  expect(seen).toEqual(["/a", "/a"]);
  await one.close();
  await eventually(() => limiter.value("connections", { key: "127.0.0.1" }).remaining === 1);
  const third = new Client(port, { say: GET });
  await third.heard(/served/);
  await third.close();
});

test("beyond the rate of an address connections are reset, those of others are not", async () => {
  const { server, seen } = site();
  const { store, clock } = memory();
  const limiter = new RateLimiter(LIMITS, { store });
  limitConnections(server, limiter, { limits: [{ limit: "connects" }, { limit: "connections" }] });
  const port = await listen(server);
  onTestFinished(() => closed(server));
  const served = async (from?: string) => {
    const client = new Client(port, { say: GET, ...(from && { from }) });
    await Promise.race([client.heard(/served/), client.ended]);
    const { text } = await client.close();
    await eventually(
      () => limiter.value("connections", { key: from ?? "127.0.0.1" }).remaining === 2,
    );
    return text.includes("served");
  };
  for (let count = 0; count < 5; count++) expect(await served()).toBe(true);
  expect(await served()).toBe(false);
  expect(await served("127.0.0.2")).toBe(true);
  clock.advance(12_000);
  expect(await served()).toBe(true);
  expect(await served()).toBe(false);
  expect(seen).toHaveLength(7);
});

test("nothing is parsed until a store across a network has answered, and nothing is lost", async () => {
  const { server, seen } = site();
  const { store, waiting, go } = slow(memory().store);
  const limiter = new RateLimiter(LIMITS, { store });
  limitConnections(server, limiter, { limit: "connections" });
  const port = await listen(server);
  const clients = [1, 2, 3].map(() => new Client(port, { say: GET }));
  onTestFinished(() => closed(server, clients));
  await eventually(() => waiting.length === 3);
  expect(seen).toEqual([]);
  go();
  const ends = await Promise.race([clients[0]?.ended, clients[1]?.ended, clients[2]?.ended]);
  expect(ends).toEqual({ text: "", code: "ECONNRESET" });
  await eventually(() => clients.filter(({ text }) => text.includes("served")).length === 2);
  expect(seen).toEqual(["/a", "/a"]);
});

test("who goes away before the answer holds nothing, and no listener sees them", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  const { store, waiting, go } = slow(memory().store);
  const limiter = new RateLimiter(LIMITS, { store });
  limitConnections(server, limiter, { limit: "connections" });
  const port = await listen(server);
  onTestFinished(() => closed(server));
  const client = new Client(port);
  await eventually(() => waiting.length === 1);
  client.socket.resetAndDestroy();
  await eventually(async () => (await connectionsOf(server)) === 0);
  go();
  await eventually(
    async () => (await limiter.value("connections", { key: "127.0.0.1" })).remaining === 2,
  );
  expect(sockets).toEqual([]);
});

test.each([
  ["HTTP", http()],
  ["connections whose halves end apart", createServer({ allowHalfOpen: true })],
])("of a server of %s, who has ended before the answer holds nothing", async (_, server) => {
  const { store, waiting, go } = slow(memory().store);
  const limiter = new RateLimiter(LIMITS, { store });
  limitConnections(server, limiter, { limit: "connections" });
  const arrived: Socket[] = [];
  const { emit } = server;
  server.emit = (event: string, ...values: unknown[]) => {
    if (event === "connection") arrived.push(values[0] as Socket);
    return Reflect.apply(emit, server, [event, ...values]);
  };
  const port = await listen(server);
  const client = new Client(port);
  onTestFinished(() => closed(server, [client]));
  await eventually(() => waiting.length === 1);
  client.socket.end();
  await eventually(() => arrived[0]?.readableEnded === true);
  go();
  await client.ended;
  await eventually(
    async () => (await limiter.value("connections", { key: "127.0.0.1" })).remaining === 2,
  );
});

const connectionsOf = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

test("what waits for a store is bounded, and the rest is refused without asking it", async () => {
  const { server } = site();
  const { store, waiting, go } = slow(memory().store);
  const refused: unknown[] = [];
  const limiter = new RateLimiter(LIMITS, { store });
  const onEvent = (event: unknown) => refused.push(event);
  limitConnections(server, limiter, { limit: "connections", maxPending: 2, onEvent });
  const port = await listen(server);
  const clients = [1, 2, 3].map(() => new Client(port, { say: GET }));
  onTestFinished(() => closed(server, clients));
  expect((await Promise.race(clients.map(({ ended }) => ended))).code).toBe("ECONNRESET");
  expect(waiting).toHaveLength(2);
  expect(refused).toMatchObject([{ type: "refused", decision: { reason: "shed" } }]);
  go();
  await eventually(() => clients.filter(({ text }) => text.includes("served")).length === 2);
});

test("last words are read by a client that goes on sending", async () => {
  const { server } = site();
  const limiter = new RateLimiter({
    connects: { kind: "token bucket", rate: 1, period: "1h", capacity: 0 },
  });
  const lastWords = () => "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 9\r\n\r\n";
  limitConnections(server, limiter, { limit: "connects", lastWords });
  const port = await listen(server);
  onTestFinished(() => closed(server));
  // More than a socket reads ahead: closed with something unread, it would be reset.
  const { text } = await new Client(port, { say: GET + "x".repeat(1_000_000) }).ended;
  expect(text).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 9\r\n\r\n$/);
  // More than are answered at once: none of them stays after it has closed.
  for (let count = 0; count < 120; count++) {
    expect((await new Client(port, { say: GET }).ended).text).toMatch(/^HTTP/);
  }
});

test("a connection over TLS is refused before its handshake, and its lease ends with it", async () => {
  const { server, seen } = site(https(certificate()));
  const limiter = new RateLimiter({ connections: { kind: "concurrency", capacity: 1, ttl: "1m" } });
  limitConnections(server, limiter, { limit: "connections" });
  const port = await listen(server);
  onTestFinished(() => closed(server));
  const client = () => tls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  const first = client();
  first.write(GET);
  await new Promise((resolve) => first.once("data", resolve));
  const error = await new Promise<NodeJS.ErrnoException>((resolve) =>
    client().once("error", resolve),
  );
  expect(error.code).toBe("ECONNRESET");
  first.destroy();
  await eventually(() => limiter.value("connections", { key: "127.0.0.1" }).remaining === 1);
  expect(seen).toEqual(["/a"]);
});
