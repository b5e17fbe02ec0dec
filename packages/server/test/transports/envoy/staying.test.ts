/** Clients of gRPC that never close their side of a connection. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import type { RlsOptions } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { serveShop } from "../../support/shop-rls.ts";
import { type Frames, frame, headers, speak, TYPE } from "../proxy/http2/frames.ts";
import { certificates } from "./certificates.ts";

const directory = mkdtempSync(join(tmpdir(), "spillway-staying-"));
const { server: tls } = certificates(directory);
rmSync(directory, { recursive: true });

const HOUR = 3_600_000;

/** A server, a client that stays, and the server's end of its connection. */
async function start(kind: "plain" | "TLS", options: Partial<RlsOptions>) {
  const server = await serveShop({ ...(kind === "TLS" ? { tls } : {}), ...options });
  const accepted = once(server.server, "connection") as Promise<[Socket]>;
  const raw = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  await once(raw, "connect");
  const socket = kind === "plain" ? raw : await encrypted(raw);
  const client: Frames<Socket> = await speak(socket);
  atEnd(() => socket.destroy());
  return { server, client, socket: (await accepted)[0] };
}

async function encrypted(raw: Socket): Promise<Socket> {
  const socket = connectTls({ socket: raw, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
  await once(socket, "secureConnect");
  return socket;
}

describe.each(["plain", "TLS"] as const)("a connection (%s) whose client stays", (kind) => {
  it("ends with the server", async () => {
    const { server, socket } = await start(kind, { grace: 600 });
    await server.close();
    expect(socket.destroyed).toBe(true);
  });

  it("ends once it is too old", async () => {
    const { socket } = await start(kind, { maxAge: 200, grace: 600 });
    await until(async () => socket.destroyed, { what: "it ends" });
  });

  it("ends after the client has said that it sends no more", async () => {
    const { client, socket } = await start(kind, { grace: 600, maxAge: HOUR });
    client.socket.write(frame({ type: TYPE.goaway, stream: 0, payload: Buffer.alloc(8) }));
    await until(async () => socket.destroyed, { what: "it ends" });
  });
});

const CALL = [
  [":method", "POST"],
  [":scheme", "http"],
  [":authority", "a"],
  [":path", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit"],
  ["content-type", "application/grpc"],
] as const;

it("a client that says without end that it sends no more costs one timer", async () => {
  const { server, client, socket } = await start("plain", { grace: 600, maxAge: HOUR });
  const before = socket.listenerCount("close");
  // Without a call, the session would close at the first time.
  client.socket.write(headers(CALL, { isLast: false }));
  const goaway = frame({ type: TYPE.goaway, stream: 0, payload: Buffer.alloc(8) });
  client.socket.write(Buffer.concat(Array.from({ length: 1000 }, () => goaway)));
  client.socket.write(frame({ type: TYPE.ping, stream: 0, payload: Buffer.alloc(8) }));
  expect(await client.next(({ type }) => type === TYPE.ping)).toBeDefined();
  expect(socket.listenerCount("close")).toBe(before + 1);
  const closed = server.close();
  expect(socket.listenerCount("close")).toBe(before + 2);
  await closed;
  expect(socket.destroyed).toBe(true);
});
