/** What clients that take no bytes of their answers can make a gRPC server hold. */
import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer,
  type Http2Server,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { createService, type Defence, HeldBytes } from "../../../src/index.ts";
import { PendingResponse } from "../../../src/transports/envoy-rls/grpc/answer.ts";
import { type AwaitedMessage, Overdue } from "../../../src/transports/envoy-rls/grpc/overdue.ts";
import { GrpcError, STATUS } from "../../../src/transports/envoy-rls/grpc/status.ts";
import { atEnd } from "../../support/at-end.ts";
import { rulesOf } from "../../support/rules.ts";
import { SHOP } from "../../support/shop.ts";
import { serveRls } from "./grpc-transport.ts";

const PLACES = 64;
const MOST = PLACES * 4096;
const LATE = new GrpcError(STATUS.DEADLINE_EXCEEDED, "it took too long");
const EMPTY_MESSAGE = Buffer.alloc(5);
const HEADERS = {
  ":method": "POST",
  ":path": "/grpc.health.v1.Health/Check",
  "content-type": "application/grpc",
};

async function session(port: number, initialWindowSize: number): Promise<ClientHttp2Session> {
  const made = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize } });
  made.on("error", () => {});
  atEnd(() => made.destroy());
  await once(made, "remoteSettings");
  return made;
}

function ask(of: ClientHttp2Session): ClientHttp2Stream {
  const stream = of.request(HEADERS);
  stream.on("error", () => {});
  stream.end(EMPTY_MESSAGE);
  return stream;
}

describe("answers that their clients don't take", () => {
  it("count with what messages hold, over all connections: the oldest is given up", async () => {
    const held = new HeldBytes({ most: MOST });
    const told: Defence[] = [];
    const service = createService({ rules: rulesOf(SHOP) });
    const server = await serveRls({ service, held, onDefence: (defence) => told.push(defence) });
    atEnd(server.close);
    let gone = 0;
    for (const of of [await session(server.port, 0), await session(server.port, 0)]) {
      for (let call = 0; call < PLACES; call++) ask(of).on("close", () => gone++);
    }
    await until(async () => gone === PLACES, { what: "half of them are given up" });
    expect(held.bytes).toBe(MOST);
    expect(told).toEqual(Array(PLACES).fill("reader-cut"));
    const honest = ask(await session(server.port, 65_535)).resume();
    const [trailers] = await once(honest, "trailers");
    expect(trailers["grpc-status"]).toBe("0");
  });

  it("hold nothing any more once they are taken, or their connection is gone", async () => {
    const held = new HeldBytes();
    const server = await serveRls({ service: createService({ rules: rulesOf(SHOP) }), held });
    atEnd(server.close);
    const [slow, leaving] = [await session(server.port, 0), await session(server.port, 0)];
    for (const of of [slow, leaving]) for (let call = 0; call < 4; call++) ask(of).resume();
    await until(async () => held.bytes === 8 * 4096, { what: "all count" });
    leaving.destroy();
    slow.settings({ initialWindowSize: 65_535 });
    await until(async () => held.bytes === 0, { what: "none counts" });
  });

  it("are given up when they take too long", async () => {
    const overdue = new Watched();
    let cut = 0;
    const outlet = { held: new HeldBytes(), overdue, onCut: () => cut++ };
    const server = await answering((stream) => {
      stream.respond({ ":status": 200 });
      stream.end("answer");
      new PendingResponse(stream, 10_000, outlet);
    });
    const stream = ask(await session((server.address() as AddressInfo).port, 0));
    await until(async () => outlet.held.bytes === 10_000, { what: "it counts" });
    for (const one of overdue.seen) one.fail(LATE);
    await once(stream, "close");
    expect([cut, outlet.held.bytes]).toEqual([1, 0]);
  });
});

/** Knows what it watches over. */
class Watched extends Overdue {
  readonly seen: AwaitedMessage[] = [];

  override watch(one: AwaitedMessage): void {
    this.seen.push(one);
    super.watch(one);
  }
}

type OnStream = (stream: ServerHttp2Stream) => void;

async function answering(onStream: OnStream): Promise<Http2Server> {
  const server = createServer();
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    onStream(stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  return server;
}
