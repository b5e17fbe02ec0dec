/** Clients of HTTP/2 that stop reading, do not close their side, or go while they wait. */
import type { ServerResponse } from "node:http";
import { constants } from "node:http2";
import type { TLSSocket } from "node:tls";
import { adaptiveShedder } from "spillway/shedding";
import { afterDelay, afterTurn, alarm } from "spillway/support";
import { describe, expect, it } from "vitest";
import { type TestProxy, upstreamOf } from "../scene.ts";
import { type Field, type Frames, frame, headers, openFrames, TYPE } from "./frames.ts";
import { ask, http2To, unitsLeft, until } from "./scene.ts";

const get = (path: string): readonly Field[] => [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "a.example"],
  [":path", path],
];

type Connected = { readonly client: Frames; readonly socket: TLSSocket };

/** A client that never closes its side, and the server's end of its connection. */
async function stubborn({ url, proxy }: TestProxy, admitsAll = false): Promise<Connected> {
  const arrived: TLSSocket[] = [];
  proxy.server.on("secureConnection", (socket: TLSSocket) => arrived.push(socket));
  const client = await openFrames(url, { allowHalfOpen: true, admitsAll });
  const { localPort } = client.socket;
  // The scene has another client.
  const socket = arrived.find(({ remotePort }) => remotePort === localPort);
  if (socket === undefined) throw new Error("no connection of the client");
  return { client, socket };
}

function defended() {
  const defences: string[] = [];
  return { defences, onDefence: (defence: string) => void defences.push(defence) };
}

/** Times of a connection that is used, where a test only waits for others. */
const LONG = { keepAliveTimeout: 3_600_000, writeTimeout: 3_600_000 };

describe("a client that reads nothing", () => {
  it("keeps no lease and no connection, if its response is long", async () => {
    const { defences, onDefence } = defended();
    const to = await upstreamOf((_, response) => response.end(Buffer.alloc(48 * 1024 * 1024)));
    const bounds = { keepAliveTimeout: 200, writeTimeout: 200 };
    const scene = await http2To(to, { bounds, onDefence });
    const { client, socket } = await stubborn(scene, true);
    client.socket.pause();
    client.socket.write(headers(get("/reports/1")));
    await until(() => defences.length > 0);
    await until(async () => (await unitsLeft(scene)) === 3);
    await until(() => socket.destroyed);
    client.socket.destroy();
  });
});

describe("a connection whose client does not close its side ends", () => {
  const answering = () => upstreamOf((_, response) => response.end("ok"));

  it("once it is idle", async () => {
    const bounds = { keepAliveTimeout: 1, writeTimeout: 1 };
    const { client, socket } = await stubborn(await http2To(await answering(), { bounds }));
    await until(() => socket.destroyed);
    client.socket.destroy();
  });

  it("after its last request", async () => {
    const bounds = { ...LONG, maxRequestsPerConnection: 1, writeTimeout: 200 };
    const { client, socket } = await stubborn(await http2To(await answering(), { bounds }));
    client.socket.write(headers(get("/other")));
    expect(await client.next(({ type }) => type === TYPE.headers)).toBeDefined();
    await until(() => socket.destroyed);
    client.socket.destroy();
  });

  it("after the client has said that it sends no more", async () => {
    const bounds = { ...LONG, writeTimeout: 200 };
    const { client, socket } = await stubborn(await http2To(await answering(), { bounds }));
    client.socket.write(frame({ type: TYPE.goaway, stream: 0, payload: Buffer.alloc(8) }));
    await until(() => socket.destroyed);
    client.socket.destroy();
  });

  it("with the server", async () => {
    const stop = { quiet: 0, whole: 1, linger: 1 };
    const scene = await http2To(await answering(), { bounds: LONG, stop });
    const { client, socket } = await stubborn(scene);
    await scene.proxy.close();
    await until(() => socket.destroyed);
    client.socket.destroy();
  });
});

describe("a request over HTTP/2 that waits for its turn", () => {
  it("is not forwarded if its client resets it", async () => {
    const paths: unknown[] = [];
    const waiting: ServerResponse[] = [];
    const to = await upstreamOf(({ url }, response) => {
      paths.push(url);
      waiting.push(response);
    });
    const causes: string[] = [];
    const shedder = adaptiveShedder({
      cap: 1,
      // Time stands still.
      scheduler: { elapsed: () => 0, afterDelay, alarm, afterTurn },
      onEvent: (event) => void (event.type === "shed" && causes.push(event.cause)),
    });
    const shedding = { shedder, priorities: [], deadlineHeader: undefined, streams: { count: 0 } };
    const { session } = await http2To(to, { shedding });
    const first = ask(session, { ":path": "/first" });
    await until(() => waiting.length === 1);
    for (let id = 0; id < 50; id++) {
      const stream = session.request({ ":authority": "a.example", ":path": "/other" });
      stream.on("error", () => {});
      await until(() => shedder.stats().waiting === 1);
      stream.close(constants.NGHTTP2_CANCEL);
      await until(() => shedder.stats().waiting === 0);
    }
    waiting[0]?.end("done");
    expect((await first).status).toBe(200);
    await until(() => shedder.stats().inFlight === 0);
    expect(paths).toEqual(["/first"]);
    expect(causes).toEqual(Array(50).fill("withdrawn"));
  });
});
