/** WebSockets: refused before the handshake, closed or slowed down after it; with a real client. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { RateLimiter } from "../../src/limiter/index.ts";
import type { Store } from "../../src/limits/core/index.ts";
import { limitUpgrades } from "../../src/sockets/index.ts";
import { type MemoryStore, memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { eventually, listen } from "./clients.ts";
import { closing, HOSTS, LIMITS, open, type Site } from "./websockets.ts";

type Settings = Pick<Partial<Site>, "messages" | "onClose"> & {
  /** Has a store across a network, each of whose answers waits for that. */
  readonly answering?: () => Promise<unknown>;
};

function later(store: MemoryStore, answering: () => Promise<unknown>): Store<"later"> {
  const execute = async (command: never) => {
    await answering();
    return store.execute(command);
  };
  return { timing: "later", execute } as unknown as Store<"later">;
}

async function start(
  host: string,
  { messages = { messages: "messages", bytes: "bytes" }, answering, onClose }: Settings = {},
) {
  const clock = manualClock();
  const store = memoryStore({ clock });
  const limiter = new RateLimiter(LIMITS, { store });
  const asked = answering ? new RateLimiter(LIMITS, { store: later(store, answering) }) : limiter;
  const received: string[] = [];
  const site: Site = { limiter: asked, messages, received, onClose };
  const server = (await HOSTS[host]?.(site)) as Server;
  const port = await listen(server);
  const clients: WebSocket[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const connected = async () => {
    const socket = await open(port);
    if (!(socket instanceof WebSocket)) throw new Error(`refused with ${socket.status}`);
    clients.push(socket);
    return socket;
  };
  const free = () => limiter.value("connections", { key: "127.0.0.1" }).remaining;
  return { clock, limiter, received, port, connected, free };
}

describe.each(Object.keys(HOSTS))("%s", (host) => {
  test("a handshake beyond the concurrency is refused with 429; an end makes room", async () => {
    const { port, connected, free } = await start(host);
    const [first] = [await connected(), await connected()];
    expect(free()).toBe(0);
    const refused = await open(port);
    expect(refused).toMatchObject({ status: 429 });
    if (refused instanceof WebSocket) throw new Error("was let in");
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    expect(refused.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(refused.body)).toMatchObject({
      status: 429,
      "violated-policies": ["connections"],
    });
    first.close();
    await eventually(() => free() === 1);
    await connected();
    const second = await connected().catch(String);
    expect(second).toContain("429");
  });

  test("a message too many closes with 1008, and is not received", async () => {
    const { connected, received } = await start(host);
    const socket = await connected();
    const closed = closing(socket);
    for (const text of ["a", "b", "c", "d", "e"]) socket.send(text);
    expect(await closed).toEqual([1008, "retry after 1 s"]);
    expect(received).toEqual(["a", "b", "c"]);
  });
});

test("a key's messages are counted over its connections; each has its own by default", async () => {
  const { connected, received, clock } = await start("ws");
  const [one, two] = [await connected(), await connected()];
  for (const socket of [one, two]) for (const text of ["a", "b", "c"]) socket.send(text);
  await eventually(() => received.length === 6);
  clock.advance(1000);
  one.send("d");
  await eventually(() => received.length === 7);
  const shared = await start("ws", { messages: { messages: "messages", key: "ada" } });
  const [three, four] = [await shared.connected(), await shared.connected()];
  for (const text of ["a", "b", "c"]) three.send(text);
  await eventually(() => shared.received.length === 3);
  const closed = closing(four);
  four.send("d");
  expect((await closed)[0]).toBe(1008);
});

test("more bytes than there ever are close with 1009, more than there are with 1008", async () => {
  const { connected, received } = await start("ws", { messages: { bytes: "bytes" } });
  const [one, two] = [await connected(), await connected()];
  const closed = [closing(one), closing(two)] as const;
  one.send("a".repeat(1001));
  expect(await closed[0]).toEqual([1009, "message too big"]);
  two.send("a".repeat(600));
  two.send("b".repeat(600));
  // There is room for that one, but nothing comes after what was refused.
  two.send("c");
  expect(await closed[1]).toEqual([1008, "retry after 1 s"]);
  expect(received).toEqual(["a".repeat(600)]);
});

test("pings and pongs count as messages; a message in many frames is one", async () => {
  const { connected, received, limiter } = await start("ws", {
    messages: { messages: "messages", key: "ada" },
  });
  const socket = await connected();
  for (const text of "fragment") socket.send(text, { fin: false });
  socket.send("s", { fin: true });
  await eventually(() => received.length === 1);
  expect(received).toEqual(["fragments"]);
  expect(limiter.value("messages", { key: "ada" }).remaining).toBe(2);
  const closed = closing(socket);
  socket.ping();
  socket.pong();
  socket.ping();
  expect((await closed)[0]).toBe(1008);
});

test("with a wait, messages are slowed down and not lost, in order; the sender feels it", async () => {
  const { connected, received, clock } = await start("ws", {
    messages: { messages: "messages", wait: "1m" },
  });
  const socket = await connected();
  const texts = Array.from({ length: 12 }, (_, index) => String(index));
  for (const text of texts) socket.send(text);
  await eventually(() => received.length === 3);
  // Real timers of 334 ms at most: the clock is moved on, so that a third of a second gives all that is missing.
  for (let more = 6; more <= 12; more += 3) {
    clock.advance(1000);
    await eventually(() => received.length === more);
  }
  expect(received).toEqual(texts);
  expect(socket.readyState).toBe(WebSocket.OPEN);
});

test("what a client sends before it closes is received, and then its end", async () => {
  const ends: number[] = [];
  const { connected, received, clock } = await start("ws", {
    messages: { messages: "messages", wait: "1m" },
    onClose: () => ends.push(received.length),
  });
  const socket = await connected();
  const texts = Array.from({ length: 6 }, (_, index) => String(index));
  for (const text of texts) socket.send(text);
  socket.close(1000);
  await once(socket, "close");
  expect([received.length, ends]).toEqual([3, []]);
  clock.advance(1000);
  await eventually(() => ends.length > 0);
  expect([received, ends]).toEqual([texts, [6]]);
});

test("the same where a store across a network is asked for each", async () => {
  const ends: number[] = [];
  let answered: Promise<unknown> = Promise.resolve();
  const { connected, received } = await start("ws", {
    answering: () => answered,
    messages: { messages: "messages" },
    onClose: () => ends.push(received.length),
  });
  const socket = await connected();
  answered = once(socket, "close");
  for (const text of ["a", "b", "c", "d"]) socket.send(text);
  socket.close(1000);
  await eventually(() => ends.length > 0);
  // The fourth is one too many.
  expect([received, ends]).toEqual([["a", "b", "c"], [3]]);
});

test("a client that breaks off while its message waits leaves nothing behind", async () => {
  const { connected, received, free } = await start("ws", {
    messages: { messages: "messages", wait: "1m" },
  });
  const socket = await connected();
  for (const text of ["a", "b", "c", "d"]) socket.send(text);
  await eventually(() => received.length === 3);
  socket.terminate();
  await eventually(() => free() === 2);
  expect(received).toEqual(["a", "b", "c"]);
});

test("a key may be read of the request, as of its cookie", async () => {
  const limiter = new RateLimiter(LIMITS);
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  limitUpgrades(server, limiter, {
    limit: "connections",
    key: ({ headers }: IncomingMessage) => headers.cookie ?? "nobody",
  });
  const port = await listen(server);
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { cookie: "user=ada" } });
  onTestFinished(() => {
    client.terminate();
    sockets.close();
    server.close();
  });
  await once(client, "open");
  expect(limiter.value("connections", { key: "user=ada" }).remaining).toBe(1);
});

test("who asks for an upgrade and resets the connection at once is no failure of the route", async () => {
  const limiter = new RateLimiter(LIMITS);
  const events: unknown[] = [];
  const server = createServer().on("upgrade", (_, socket) => socket.on("error", () => {}));
  limitUpgrades(server, limiter, {
    limit: "connections",
    onEvent: (event) => void events.push(event),
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  const client = connect(port, "127.0.0.1");
  const [[accepted]] = await Promise.all([once(server, "connection"), once(client, "connect")]);
  const ended = new Promise((resolve) => accepted.once("close", resolve));
  client.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  client.resetAndDestroy();
  await ended;
  expect(events).toEqual([]);
  expect(limiter.value("connections", { key: "127.0.0.1" }).remaining).toBe(2);
});

test("in shadow it counts, and everything passes", async () => {
  const events: unknown[] = [];
  const messages = {
    messages: "messages",
    shadow: true,
    onEvent: (event: unknown) => events.push(event),
  } as const;
  const { connected, received } = await start("ws", { messages });
  const socket = await connected();
  for (const text of ["a", "b", "c", "d"]) socket.send(text);
  await eventually(() => received.length === 4);
  expect(events).toMatchObject([
    { type: "refused", shadow: true, decision: { limit: "messages" } },
  ]);
});
