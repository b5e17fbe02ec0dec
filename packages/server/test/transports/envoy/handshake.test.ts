/** Connections of gRPC that don't begin to speak: how many there may be, and for how long. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectHttp2, type ServerHttp2Session } from "node:http2";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import * as grpc from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import type { Defence, RlsOptions } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { serveShop } from "../../support/shop-rls.ts";
import { certificates } from "./certificates.ts";
import { call, clientOf, type RlsServer } from "./grpc-transport.ts";

// All tests of this file have them: they are read, and need no files any more.
const directory = mkdtempSync(join(tmpdir(), "spillway-handshake-"));
const CERTIFICATES = certificates(directory);
rmSync(directory, { recursive: true });
const SERVERS = { plain: {}, TLS: { tls: CERTIFICATES.server } } as const;
type Kind = keyof typeof SERVERS;

async function serve(options: Partial<RlsOptions>): Promise<RlsServer & { told: Defence[] }> {
  const told: Defence[] = [];
  const onDefence = (defence: Defence) => told.push(defence);
  return { ...(await serveShop({ onDefence, ...options })), told };
}

/** A connection that ignores how it ends. */
function connected(make: () => Socket): Socket {
  const socket = make();
  socket.on("error", () => {});
  socket.resume();
  atEnd(() => socket.destroy());
  return socket;
}

const to = ({ port }: RlsServer) => connected(() => connect(port, "127.0.0.1"));
const secure = ({ port }: RlsServer, protocols: readonly string[]) =>
  connected(() =>
    connectTls({
      port,
      host: "127.0.0.1",
      rejectUnauthorized: false,
      ALPNProtocols: [...protocols],
    }),
  );

/** Waits for the end of a connection, however it ends. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.on("close", () => resolve());
  });

const ann = { domain: "shop", descriptors: [{ entries: [{ key: "user", value: "ann" }] }] };
const clientTo = (server: RlsServer, kind: Kind) => {
  const { authority } = CERTIFICATES;
  const credentials = kind === "TLS" ? grpc.credentials.createSsl(authority) : undefined;
  const client = clientOf(server, credentials);
  atEnd(() => client.close());
  return client;
};

/** Sends a byte again and again, for as long as it can. */
function trickle(socket: Socket, bytes: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes[at++ % bytes.length] as string), 10);
  socket.on("close", () => clearInterval(timer));
}

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** What clients can do instead of speaking HTTP/2. */
const SILENT: readonly (readonly [what: string, kind: Kind, begin: (of: RlsServer) => Socket])[] = [
  ["nothing", "plain", to],
  ["nothing", "TLS", to],
  [
    "HTTP/2's preface and nothing else",
    "plain",
    (of) => {
      const socket = to(of);
      socket.write(PREFACE);
      return socket;
    },
  ],
  [
    "a few bytes of TLS after each other",
    "TLS",
    (of) => {
      const socket = to(of);
      // The head of a record of 16 KiB.
      socket.write(Buffer.from([22, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xfc, 3, 3]));
      trickle(socket, "x");
      return socket;
    },
  ],
  ["nothing after TLS", "TLS", (of) => secure(of, ["h2"])],
];

/** Whether a client of HTTP/2 gets an answer. */
async function speaksTo({ port }: RlsServer, kind: Kind): Promise<boolean> {
  const scheme = kind === "TLS" ? "https" : "http";
  const session = connectHttp2(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false });
  session.on("error", () => {});
  atEnd(() => session.destroy());
  return new Promise((resolve) => {
    session.on("remoteSettings", () => resolve(true));
    session.on("close", () => resolve(false));
  });
}

describe("a client that sends", () => {
  it.each(SILENT)("%s (%s) is cut, and others go on", async (_, kind, begin) => {
    const server = await serve({ ...SERVERS[kind], handshake: 300 });
    const sessions: ServerHttp2Session[] = [];
    const client = clientTo(server, kind);
    const isAnswered = () =>
      call(client, ann).then(
        () => true,
        () => false,
      );
    server.server.on("session", (session) => sessions.push(session));
    // On a busy machine it may be cut itself.
    await until(isAnswered, { what: "an honest client is there" });
    const honest = sessions.at(-1);
    server.told.length = 0;
    await closed(begin(server));
    expect(server.told).toEqual(["handshake-cut"]);
    // Its connection is older than the one that was cut.
    expect(honest?.destroyed).toBe(false);
    expect(await isAnswered()).toBe(true);
  });

  it("another protocol after TLS is cut at once", async () => {
    const server = await serve({ ...SERVERS.TLS, handshake: 3_600_000 });
    await closed(secure(server, []));
    expect(server.told).toEqual([]);
  });
});

describe.each(["plain", "TLS"] as const)("a %s server", (kind) => {
  it("counts connections from when they are accepted, and closes those beyond the most", async () => {
    const server = await serve({ ...SERVERS[kind], maxConnections: 5, handshake: 3_600_000 });
    const silent: Socket[] = [];
    for (let number = 0; number < 5; number++) {
      const accepted = once(server.server, "connection");
      silent.push(to(server));
      await accepted;
    }
    for (let number = 0; number < 10; number++) await closed(to(server));
    expect(server.told).toEqual(Array.from({ length: 10 }, () => "connection-refused"));
    expect(silent.map(({ closed }) => closed)).toEqual([false, false, false, false, false]);
    // Who goes makes room.
    silent[0]?.destroy();
    await expect.poll(() => speaksTo(server, kind)).toBe(true);
  });

  it("waits for none of them when it stops", async () => {
    const server = await serve({ ...SERVERS[kind], maxConnections: 2, handshake: 3_600_000 });
    const all: Socket[] = [];
    for (let number = 0; number < 3; number++) {
      const accepted = once(server.server, "connection");
      all.push(to(server));
      await accepted;
    }
    await server.close();
    await Promise.all(all.map(closed));
  });
});
