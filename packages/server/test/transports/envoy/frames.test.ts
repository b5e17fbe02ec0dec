/** Frames in pieces, frames of anything, and streams that go away. fast-check prints the seed of a failure. */
import { once } from "node:events";
import { connect, constants, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { createService } from "../../../src/index.ts";
import { GrpcCall } from "../../../src/transports/envoy-rls/grpc/call.ts";
import { frameIn } from "../../../src/transports/envoy-rls/grpc/message-frame.ts";
import { type AwaitedMessage, Overdue } from "../../../src/transports/envoy-rls/grpc/overdue.ts";
import { GrpcError } from "../../../src/transports/envoy-rls/grpc/status.ts";
import { Unpacking } from "../../../src/transports/envoy-rls/grpc/unpacking.ts";
import { HeldBytes, MessageScheduler } from "../../../src/transports/intake/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { rulesOf } from "../../support/rules.ts";
import { SHOP } from "../../support/shop.ts";
import { call, clientOf, serveRls } from "./grpc-transport.ts";

const PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
const HEADERS = { ":method": "POST", ":path": PATH, "content-type": "application/grpc" };
const LONGEST = 200;

const bytes = fc.uint8Array({ maxLength: 2 * LONGEST }).map((some) => Buffer.from(some));
const frame = fc
  .record({ flag: fc.nat({ max: 255 }), length: fc.nat({ max: LONGEST + 20 }), body: bytes })
  .map(({ flag, length, body }) => {
    const head = Buffer.alloc(5);
    head[0] = flag;
    head.writeUInt32BE(length, 1);
    return Buffer.concat([head, body]);
  });

/** What a reader makes of bytes: a frame, nothing yet, or a refusal. */
function outcome(read: () => Buffer | undefined): string | undefined {
  try {
    return read()?.toString("hex");
  } catch (error) {
    expect(error).toBeInstanceOf(GrpcError);
    return "refused";
  }
}

describe("a frame", () => {
  it("is the same in one piece, and in any pieces", () => {
    fc.assert(
      fc.property(frame, fc.array(fc.nat(), { maxLength: 8 }), (whole, cuts) => {
        const places = cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b);
        const parts = [0, ...places].map((from, at) => whole.subarray(from, places[at]));
        const held = new HeldBytes().begin({ longest: LONGEST, onDropped: expect.unreachable });
        let inParts: string | undefined;
        for (const part of parts) {
          held.add(part);
          inParts ??= outcome(() => frameIn(held.bytes, LONGEST));
        }
        expect(inParts).toBe(outcome(() => frameIn(whole, LONGEST)));
      }),
      { numRuns: 500 },
    );
  });
});

const STATUSES = new Set(["0", "2", "3", "8", "12", "13"]);

describe("a server", () => {
  it("ends each call by a status, whatever is sent", async () => {
    const rls = await serveRls({
      service: createService({ rules: rulesOf(SHOP) }),
      longest: LONGEST,
      warn: (message) => expect.unreachable(message),
    });
    atEnd(rls.close);
    const session = connect(`http://127.0.0.1:${rls.port}`);
    atEnd(() => session.destroy());
    const encoding = fc.constantFrom(undefined, "gzip", "identity", "br");
    const statusOf = async (body: Buffer, encoding: string | undefined) => {
      const more = encoding === undefined ? {} : { "grpc-encoding": encoding };
      const stream = session.request({ ...HEADERS, ...more });
      stream.on("error", () => {});
      let status: unknown;
      const note = (fields: object) => {
        status = (fields as Record<string, unknown>)["grpc-status"] ?? status;
      };
      stream.on("response", note);
      stream.on("trailers", note);
      stream.resume();
      stream.end(body);
      await once(stream, "close");
      return String(status);
    };
    await fc.assert(
      fc.asyncProperty(fc.oneof(frame, bytes), encoding, async (body, encoding) => {
        expect(STATUSES).toContain(await statusOf(body, encoding));
      }),
      { numRuns: 150 },
    );
  });

  it("takes no more headers than it has room for, and goes on", async () => {
    const rls = await serveRls({ service: createService({ rules: rulesOf(SHOP) }) });
    atEnd(rls.close);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, "y"]));
    for (const flood of [{ "x-long": "y".repeat(40_000) }, many]) {
      const session = connect(`http://127.0.0.1:${rls.port}`);
      session.on("error", () => {});
      const stream = session.request({ ...HEADERS, ...flood });
      stream.on("error", () => {});
      let status: unknown;
      stream.on("response", (fields) => {
        status = fields[":status"];
      });
      stream.end();
      await new Promise((closed) => stream.on("close", closed));
      session.destroy();
      // HTTP/2 answers some of it itself.
      expect([undefined, 431]).toContain(status);
    }
    const client = clientOf(rls);
    atEnd(() => client.close());
    const entries = [{ key: "user", value: "ann" }];
    const { overallCode } = await call(client, { domain: "shop", descriptors: [{ entries }] });
    expect(overallCode).toBe("OK");
  });
});

/** Knows which calls are still held. */
class Watched extends Overdue {
  readonly held = new Set<AwaitedMessage>();
  seen = 0;

  override watch(call: AwaitedMessage): void {
    this.seen++;
    this.held.add(call);
    super.watch(call);
  }

  override read(call: AwaitedMessage): void {
    this.held.delete(call);
    super.read(call);
  }
}

async function serveCalls(overdue: Overdue): Promise<Http2Server> {
  const intake = {
    longest: LONGEST,
    held: new HeldBytes(),
    overdue,
    unpacking: new Unpacking(),
    turns: new MessageScheduler(),
    onDropped: expect.unreachable,
  };
  const outlet = { held: intake.held, overdue: new Overdue(), onCut: expect.unreachable };
  const calls = { warn: () => {}, intake, outlet };
  const server = createServer();
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    new GrpcCall(stream, headers, (message) => message, calls);
  });
  server.on("sessionError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  atEnd(() => overdue.close());
  return server;
}

describe("a call without its message", () => {
  it("is held only as long as its stream is there", async () => {
    const overdue = new Watched();
    const server = await serveCalls(overdue);
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    session.on("error", () => {});
    const streams = Array.from({ length: 40 }, () => session.request(HEADERS));
    for (const stream of streams) stream.on("error", () => {});
    await until(async () => overdue.seen === 40, { what: "all calls have come" });
    expect(overdue.held.size).toBe(40);
    for (const stream of streams.slice(0, 20)) stream.close(constants.NGHTTP2_CANCEL);
    await until(async () => overdue.held.size === 20, { what: "half of them are forgotten" });
    // Headers and reset in one turn: the stream has closed before anybody listens for it.
    for (let at = 0; at < 20; at++) {
      const stream = session.request(HEADERS);
      stream.on("error", () => {});
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await new Promise((answered) => session.ping(answered));
    await until(async () => overdue.held.size === 20, { what: "those that only passed, too" });
    session.destroy();
    await until(async () => overdue.held.size === 0, { what: "none is held" });
  });
});
