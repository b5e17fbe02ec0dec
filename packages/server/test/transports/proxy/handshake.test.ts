/** Clients that go, close their side, or already send while their WebSocket has no response. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { atEnd } from "../../support/at-end.ts";
import { getText } from "../../support/raw.ts";
import { listening, proxyTo, type TestProxy } from "./scene.ts";

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turn();
}

const REPORTS = {
  domain: "shop",
  descriptors: [{ entries: [{ key: "generic_key", value: "reports" }] }],
};

async function unitsLeft({ service }: TestProxy): Promise<number | undefined> {
  return (await service.value(REPORTS)).values[0]?.remaining;
}

const ASK = getText("/reports/live", {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
});
const ACCEPT =
  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

/** An upstream that keeps requests for a WebSocket waiting. */
async function waiting() {
  const asked: Socket[] = [];
  const server: Server = createServer((_, response) => response.end("ok"));
  server.on("upgrade", (_, socket: Socket) => {
    socket.on("error", () => {});
    socket.once("end", () => socket.destroy());
    asked.push(socket);
  });
  atEnd(() => {
    server.close();
    for (const socket of asked) socket.destroy();
  });
  return { asked, to: await listening(server) };
}

/** A proxy, and a client whose request has reached the upstream. */
async function start(options: Parameters<typeof proxyTo>[1] = {}, ask = ASK) {
  const { asked, to } = await waiting();
  const scene = await proxyTo(to, options);
  const arrived: Socket[] = [];
  scene.proxy.server.on("connection", (socket) => arrived.push(socket));
  const port = Number(new URL(scene.url).port);
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  client.on("error", () => {});
  atEnd(() => client.destroy());
  await once(client, "connect");
  client.write(ask);
  await until(() => asked.length === 1);
  return { scene, client, upstream: asked[0] as Socket, arrived };
}

describe("a client of a WebSocket without a response", () => {
  it.each([
    ["goes", (client: Socket) => client.destroy()],
    ["resets", (client: Socket) => client.resetAndDestroy()],
    ["closes its side", (client: Socket) => client.end()],
    ["sends and closes its side", (client: Socket) => client.end("hello")],
  ])("that %s leaves no lease, and no request upstream", async (_, leave) => {
    const { scene, client, upstream } = await start();
    expect(await unitsLeft(scene)).toBe(2);
    upstream.resume();
    leave(client);
    await until(() => upstream.destroyed);
    await until(async () => (await unitsLeft(scene)) === 3);
    expect(scene.failures).toEqual([]);
    expect((await fetch(`${scene.url}/a`)).status).toBe(200);
  });

  it.each([1, 500_000])("may send already, also %i bytes more", async (more) => {
    const { client, upstream, arrived } = await start({}, `${ASK}first `);
    const rest = "x".repeat(more);
    const text = `first second third ${rest}`;
    for (const part of ["second ", "third "]) {
      const before = arrived[0]?.bytesRead ?? 0;
      client.write(part);
      await until(() => (arrived[0]?.bytesRead ?? 0) > before);
    }
    client.write(rest);
    let received = "";
    upstream.on("data", (chunk) => {
      received += chunk;
    });
    upstream.write(ACCEPT);
    await until(() => received.length >= text.length);
    expect(received === text).toBe(true);
    upstream.write("hello");
    let answer = "";
    client.on("data", (chunk) => {
      answer += chunk;
    });
    await until(() => answer.endsWith("\r\n\r\nhello"));
  });

  it("is not read without end", async () => {
    const { client, arrived, upstream } = await start();
    const socket = arrived[0] as Socket;
    const begun = socket.bytesRead;
    while (!socket.isPaused()) {
      const before = socket.bytesRead;
      client.write("x".repeat(1024));
      await until(() => socket.isPaused() || socket.bytesRead > before);
    }
    client.write("y".repeat(500_000));
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(socket.bytesRead - begun).toBe(65_536);
    upstream.write(ACCEPT);
    let received = "";
    upstream.on("data", (chunk) => {
      received += chunk;
    });
    await until(() => received.length === 565_536);
    expect(received).toBe("x".repeat(65_536) + "y".repeat(500_000));
  });

  it("waits for longer than a client that reads nothing may", async () => {
    const { client, arrived, upstream } = await start({ bounds: { writeTimeout: 50 } });
    const timedOut = once(arrived[0] as Socket, "timeout");
    await timedOut;
    await turn();
    expect(arrived[0]?.destroyed).toBe(false);
    upstream.write(ACCEPT);
    expect(String((await once(client, "data"))[0])).toMatch(/^HTTP\/1\.1 101 /);
  });
});

const LONG = 64 * 1024 * 1024;
const DENIED = "HTTP/1.1 403 Forbidden\r\nConnection: close\r\n";

describe("a client that is refused a WebSocket", () => {
  it.each([
    ["stays", "Content-Length: 2\r\n\r\nno", 0],
    ["does not read why", "\r\n", LONG],
  ])("is cut if it %s, also while it sends", async (_, head, length) => {
    const { scene, client, upstream, arrived } = await start({ bounds: { writeTimeout: 200 } });
    client.pause();
    upstream.write(`${DENIED}${head}`);
    upstream.end(Buffer.alloc(length));
    await until(() => {
      client.write("x");
      return arrived[0]?.destroyed === true;
    });
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("is read again, for its end", async () => {
    const { client, upstream, arrived } = await start({ bounds: { writeTimeout: 200 } });
    client.write("x".repeat(500_000));
    await until(() => arrived[0]?.isPaused() === true);
    upstream.write(`${DENIED}\r\nno`);
    await until(() => arrived[0]?.bytesRead === ASK.length + 500_000);
    client.end();
    await until(() => arrived[0]?.destroyed === true);
  });

  it("is cut if it stays", async () => {
    const { client, upstream, arrived } = await start({ bounds: { writeTimeout: 200 } });
    upstream.end(`${DENIED}Content-Length: 2\r\n\r\nno`);
    await once(client, "data");
    await until(() => arrived[0]?.destroyed === true);
  });

  it("gets all of a long response", async () => {
    const { client, upstream } = await start();
    upstream.write(`${DENIED}\r\n`);
    upstream.end(Buffer.alloc(LONG, "x"));
    let received = 0;
    client.on("data", (chunk) => {
      received += chunk.length;
    });
    await once(client, "end");
    expect(received).toBeGreaterThan(LONG);
  });

  it("is cut if it does not read why", async () => {
    const { scene, client, upstream, arrived } = await start({ bounds: { writeTimeout: 200 } });
    client.pause();
    upstream.write(`${DENIED}\r\n`);
    upstream.end(Buffer.alloc(LONG));
    await until(() => arrived[0]?.destroyed === true);
    await until(async () => (await unitsLeft(scene)) === 3);
  });

  it("may wait for the rest of the response", async () => {
    const { client, upstream, arrived } = await start({ bounds: { writeTimeout: 50 } });
    upstream.write(`${DENIED}\r\nno`);
    await once(client, "data");
    await once(arrived[0] as Socket, "timeout");
    upstream.end(" more");
    const [rest] = await once(client, "data");
    expect(String(rest)).toContain(" more");
  });
});
