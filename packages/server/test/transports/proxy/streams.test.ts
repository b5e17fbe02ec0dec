/** Bodies, trailers, interim responses and WebSockets. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { atEnd } from "../../support/at-end.ts";
import { connectTo, exchange, getText } from "../../support/raw.ts";
import { listening, proxyTo, rawUpstream, upstreamOf, upstreamSockets } from "./scene.ts";

const CHUNK = Buffer.alloc(64 * 1024, "x");
/** Far more than all sockets on the way hold. */
const LARGE = 64 * 1024 * 1024;
/** The most bytes of a body that the proxy holds itself, beside what the system's sockets do. */
const MOST_HELD = 512 * 1024;

describe("a body", () => {
  it("waits for a client that reads slowly", async () => {
    let written = 0;
    let isWaiting = false;
    const to = await upstreamOf((_, response) => {
      const write = () => {
        while (written < LARGE) {
          written += CHUNK.length;
          if (!response.write(CHUNK)) {
            isWaiting = true;
            response.once("drain", write);
            return;
          }
        }
        response.end();
      };
      write();
    });
    const scene = await proxyTo(to);
    const responses: ServerResponse[] = [];
    scene.proxy.server.on("request", (_, response) => responses.push(response));
    const socket = await connectTo(scene);
    socket.pause();
    socket.write(getText("/large"));
    // Once nothing more is written for many turns, all on the way is full.
    for (let calm = 0, last = -1; calm < 2000; calm++) {
      await turn();
      if (written !== last || !isWaiting) calm = 0;
      last = written;
    }
    expect(written).toBeLessThan(LARGE / 2);
    expect(responses[0]?.writableLength).toBeLessThan(MOST_HELD);
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
      if (received >= LARGE) socket.end();
    });
    socket.resume();
    await once(socket, "close");
    expect(received).toBeGreaterThanOrEqual(LARGE);
  });

  it("waits for an upstream that reads slowly", async () => {
    const upstream = createServer((request, response) => {
      request.pause();
      resume = () => {
        request.resume();
        request.once("end", () => response.end("read"));
      };
    });
    let resume: (() => void) | undefined;
    atEnd(() => upstream.close());
    const scene = await proxyTo(await listening(upstream));
    const clients: Socket[] = [];
    scene.proxy.server.on("connection", (client) => clients.push(client));
    const upstreams = upstreamSockets();
    const socket = await connectTo(scene);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.write(`POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${LARGE}\r\n\r\n`);
    let written = 0;
    const write = () => {
      while (written < LARGE) {
        written += CHUNK.length;
        if (!socket.write(CHUNK)) return void socket.once("drain", write);
      }
    };
    write();
    for (let calm = 0, last = -1; calm < 2000; calm++) {
      await turn();
      if (written !== last || resume === undefined) calm = 0;
      last = written;
    }
    expect(written).toBeLessThan(LARGE / 2);
    const [client, to] = [clients[0] as Socket, upstreams[0] as Socket];
    const held = client.bytesRead - to.bytesWritten + to.writableLength;
    expect(held).toBeLessThan(MOST_HELD);
    resume?.();
    while (!received.endsWith("read")) await once(socket, "data");
    expect(written).toBe(LARGE);
    socket.end();
  });

  it("of a refused request is not asked for, and of an admitted one is", async () => {
    const to = await upstreamOf((request, response) => request.pipe(response));
    const scene = await proxyTo(to);
    const expecting = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n`;
    for (let id = 0; id < 2; id++) {
      const socket = await connectTo(scene);
      socket.write(expecting("/login"));
      const [first] = await once(socket, "data");
      expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
      socket.write("hello");
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      socket.destroy();
    }
    const refused = await exchange(scene, expecting("/login"));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  });

  it("may be left unread by its upstream, and the client still sees the response", async () => {
    const { url: to } = await rawUpstream((_, socket) => {
      socket.end(
        "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig",
      );
    });
    const scene = await proxyTo(to);
    const socket = await connectTo(scene);
    socket.write("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhello");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it("that pauses for too long is refused", async () => {
    const { url: to } = await rawUpstream(() => {});
    const times = { connect: 60_000, headers: 60_000, idle: 20 };
    const scene = await proxyTo(to, { times });
    const half = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello";
    const received = await exchange(scene, half);
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(received).toContain('"code":"request-timeout"');
  });
});

describe("a response", () => {
  it("keeps its trailers, and loses the headers of its connection", async () => {
    const { url: to } = await rawUpstream((_, socket) => {
      socket.end(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nX-Hop: 1\r\n" +
          "Connection: close, X-Hop\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Text: \xe9\r\n\r\n" +
          "2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n",
        "latin1",
      );
    });
    const scene = await proxyTo(to);
    const fields = { Connection: "close" };
    const received = await exchange(scene, getText("/a", fields));
    expect(received).toContain("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n");
    expect(received).not.toContain("X-Hop");
    expect(received.endsWith("2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n")).toBe(true);
  });

  it("begins before its body does", async () => {
    const to = await upstreamOf((_, response) => {
      response.setHeader("content-type", "text/event-stream");
      response.flushHeaders();
    });
    const scene = await proxyTo(to);
    const aborted = new AbortController();
    const response = await fetch(`${scene.url}/events`, { signal: aborted.signal });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    aborted.abort();
  });

  it.each(["HEAD", "GET"])("to %s with a length and no body is passed on", async (method) => {
    const to = await upstreamOf((_, response) => {
      response.writeHead(method === "GET" ? 304 : 200, { "content-length": "5" }).end();
    });
    const scene = await proxyTo(to);
    const response = await fetch(`${scene.url}/a`, { method });
    expect(response.status).toBe(method === "GET" ? 304 : 200);
    expect(response.headers.get("content-length")).toBe("5");
  });
});

describe("a WebSocket", () => {
  async function echo(): Promise<string> {
    const server = createServer((_, response) => response.writeHead(403).end("no"));
    const sockets = new WebSocketServer({ noServer: true });
    server.on("upgrade", (request, socket, head) => {
      if (request.url === "/denied") {
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
        return;
      }
      sockets.handleUpgrade(request, socket, head, (one) => {
        one.on("message", (data: RawData) => one.send(data));
      });
    });
    atEnd(() => {
      for (const one of sockets.clients) one.terminate();
      server.close();
    });
    return listening(server);
  }

  it("passes messages, holds a lease, and is refused by limits", async () => {
    const scene = await proxyTo(await echo());
    const to = scene.url.replace("http", "ws");
    const open = await Promise.all(
      [1, 2, 3].map(async () => {
        const one = new WebSocket(`${to}/reports/live`);
        await once(one, "open");
        return one;
      }),
    );
    const refused = new WebSocket(`${to}/reports/live`);
    const [, answer] = await once(refused, "unexpected-response");
    expect(answer.statusCode).toBe(429);
    const [first, ...others] = open;
    first?.send("hello");
    const [message] = await once(first as WebSocket, "message");
    expect(String(message)).toBe("hello");
    first?.close();
    for (;;) {
      const again = new WebSocket(`${to}/reports/live`);
      const event = await Promise.race([
        once(again, "open").then(() => "open"),
        once(again, "unexpected-response").then(() => "refused"),
      ]);
      again.on("error", () => {}).terminate();
      if (event === "open") break;
    }
    for (const one of others) one.terminate();
  });

  it("that the upstream denies, or that can't be reached, is answered", async () => {
    const scene = await proxyTo(await echo());
    const denied = new WebSocket(`${scene.url.replace("http", "ws")}/denied`);
    const [, answer] = await once(denied, "unexpected-response");
    expect(answer.statusCode).toBe(403);
    const away = await proxyTo("http://127.0.0.1:1");
    const lost = new WebSocket(`${away.url.replace("http", "ws")}/a`);
    const [, failed] = await once(lost, "unexpected-response");
    expect(failed.statusCode).toBe(502);
  });
});
