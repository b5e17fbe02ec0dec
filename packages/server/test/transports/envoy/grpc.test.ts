/** gRPC as a real client speaks it, and as none should. */
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { gzipSync } from "node:zlib";
import * as grpc from "@grpc/grpc-js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createService } from "../../../src/index.ts";
import { rulesOf } from "../../support/rules.ts";
import { SHOP } from "../../support/shop.ts";
import { call, callBytes, clientOf, type RlsServer, serveRls } from "./grpc-transport.ts";

const PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

let server: RlsServer;
let client: grpc.Client;
beforeEach(async () => {
  server = await serveRls({ service: createService({ rules: rulesOf(SHOP) }) });
  client = clientOf(server);
});
afterEach(async () => {
  client.close();
  await server.close();
});

const entries = (text: string) => {
  const [key = "", value = ""] = text.split("=");
  return { entries: [{ key, value }] };
};
const ann = { domain: "shop", descriptors: [entries("user=ann")] };

/** The status that a call ends with, and what is said of it. */
async function statusOf(answer: Promise<unknown>): Promise<readonly [number, string]> {
  const error = await answer.then(
    () => ({ code: 0, details: "" }),
    (reason: grpc.ServiceError) => reason,
  );
  return [error.code, error.details];
}

/** The server answers as ever: nothing has made it end, or count. */
async function isUp(remaining: number): Promise<void> {
  const { statuses } = await call(clientOf(server), ann);
  expect(statuses).toMatchObject([{ limitRemaining: remaining }]);
}

describe("a call", () => {
  it("is decided", async () => {
    const { overallCode, statuses } = await call(client, ann);
    expect(overallCode).toBe("OK");
    expect(statuses).toMatchObject([
      { code: "OK", limitRemaining: 4, currentLimit: { requestsPerUnit: 5, unit: "MINUTE" } },
    ]);
  });

  it("may be compressed", async () => {
    const compressed = clientOf(server, undefined, { "grpc.default_compression_algorithm": 2 });
    const long = { domain: "shop", descriptors: [entries(`user=${"ann".repeat(1000)}`)] };
    expect((await call(compressed, long)).overallCode).toBe("OK");
  });

  it("skips fields that are not known", async () => {
    const plain = Buffer.from([0x0a, 4, ...Buffer.from("shop"), 0x12, 13, 0x0a, 11, 0x0a, 4]);
    const known = [...Buffer.from("user"), 0x12, 3, ...Buffer.from("ann")];
    const unknown = [0x7a, 2, 1, 2, 0x80, 0x01, 5, 0x85, 0x01, 1, 2, 3, 4];
    const bytes = Buffer.from([...plain, ...known, ...unknown]);
    expect((await callBytes(client, bytes)).statuses).toMatchObject([{ limitRemaining: 4 }]);
  });

  it.each([
    [{ ...ann, domain: "" }, grpc.status.UNKNOWN, "rate limit domain must not be empty"],
    [{ domain: "shop" }, grpc.status.UNKNOWN, "rate limit descriptor list must not be empty"],
    [
      { ...ann, descriptors: Array.from({ length: 10_000 }, () => entries("user=ann")) },
      grpc.status.INVALID_ARGUMENT,
      "Found over 1000 descriptors, expected 1000 or fewer of them",
    ],
    [
      { ...ann, descriptors: [{ ...entries("user=ann"), limit: { requestsPerUnit: 1 } }] },
      grpc.status.INVALID_ARGUMENT,
      "expected SECOND to YEAR",
    ],
  ])("of the wrong content has its status (%#)", async (request, code, details) => {
    const [status, message] = await statusOf(call(client, request));
    expect(status).toBe(code);
    expect(message).toContain(details);
    await isUp(4);
  });

  it("with more hits than any limit has is over, and costs nothing", async () => {
    const { overallCode } = await call(client, { ...ann, hitsAddend: 2 ** 32 - 1 });
    expect(overallCode).toBe("OVER_LIMIT");
    const huge = { ...entries("user=ann"), hitsAddend: { value: "18446744073709551615" } };
    expect((await call(client, { ...ann, descriptors: [huge] })).overallCode).toBe("OVER_LIMIT");
    await isUp(4);
  });

  it("with descriptors that have no entries meets no limit", async () => {
    const { statuses } = await call(client, {
      domain: "shop",
      descriptors: [{}, { entries: [{}] }],
    });
    expect(statuses).toMatchObject([{ code: "OK" }, { code: "OK" }]);
  });

  it.each([
    ["a cut varint", Buffer.from([0x18, 0xff])],
    ["a text longer than the message", Buffer.from([0x0a, 9, 65])],
    ["a descriptor longer than the message", Buffer.from([0x12, 9, 0x0a])],
    [
      "an entry longer than its descriptor",
      Buffer.from([0x12, 4, 0x0a, 9, 0x0a, 0, 0, 0, 0, 0, 0, 0]),
    ],
    ["a text that is not UTF-8", Buffer.from([0x0a, 2, 0xff, 0xfe])],
    ["groups in groups", Buffer.alloc(100_000, 0x2b)],
  ])("of %s is no message", async (_what, bytes) => {
    const [status, details] = await statusOf(callBytes(client, bytes));
    expect(status).toBe(grpc.status.INTERNAL);
    expect(details).toContain("the message is not a RateLimitRequest");
    await isUp(4);
  });

  it("of an unknown method is unimplemented", async () => {
    const asked = new Promise((resolve, reject) => {
      const asIs = (bytes: Buffer) => bytes;
      client.makeUnaryRequest("/x.Y/Z", asIs, asIs, Buffer.alloc(0), (error, value) =>
        error === null ? resolve(value) : reject(error),
      );
    });
    expect((await statusOf(asked))[0]).toBe(grpc.status.UNIMPLEMENTED);
  });

  it("that is too long is not read", async () => {
    const [status, details] = await statusOf(callBytes(client, Buffer.alloc(1024 * 1024 + 1)));
    expect(status).toBe(grpc.status.RESOURCE_EXHAUSTED);
    expect(details).toContain("expected at most 1048576 bytes");
    await isUp(4);
  });
});

describe("the health service", () => {
  const check = (service: string) =>
    new Promise<Buffer>((resolve, reject) => {
      const bytes = Buffer.from([0x0a, service.length, ...Buffer.from(service)]);
      const asIs = (message: Buffer) => message;
      client.makeUnaryRequest("/grpc.health.v1.Health/Check", asIs, asIs, bytes, (error, value) =>
        error === null ? resolve(value as Buffer) : reject(error),
      );
    });

  it.each(["", "ratelimit", "envoy.service.ratelimit.v3.RateLimitService"])(
    "says that %j is serving",
    async (service) => {
      expect([...(await check(service))]).toEqual([8, 1]);
    },
  );

  it("does not know others", async () => {
    expect((await statusOf(check("other")))[0]).toBe(grpc.status.NOT_FOUND);
  });
});

/** What a raw HTTP/2 client gets. */
type Raw = { readonly headers: Record<string, unknown>; readonly resetBy: number };

describe("HTTP/2 that no gRPC client would send", () => {
  let session: ClientHttp2Session;
  beforeEach(() => {
    session = connectHttp2(`http://127.0.0.1:${server.port}`);
    session.on("error", () => {});
  });
  afterEach(() => session.destroy());

  const HEADERS = { ":method": "POST", ":path": PATH, "content-type": "application/grpc" };

  /** Sends a body; `undefined` leaves the stream open. */
  function send(body: Buffer, more: object = {}, isEnd = true): Promise<Raw> {
    return new Promise((resolve) => {
      const stream = session.request({ ...HEADERS, ...more });
      let headers = {};
      stream.on("response", (all) => {
        headers = all;
      });
      stream.on("error", () => {});
      stream.on("close", () => resolve({ headers, resetBy: stream.rstCode }));
      stream.resume();
      if (isEnd) stream.end(body);
      else stream.write(body);
    });
  }

  it("a bomb is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const frame = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), bomb]);
    frame.writeUInt32BE(bomb.length, 1);
    const { headers } = await send(frame, { "grpc-encoding": "gzip" });
    expect(headers["grpc-status"]).toBe(String(grpc.status.RESOURCE_EXHAUSTED));
    await isUp(4);
  });

  it.each([
    ["a frame cut short", Buffer.from([0, 0, 0, 0, 9, 1]), {}, grpc.status.INTERNAL],
    ["no frame", Buffer.alloc(0), {}, grpc.status.INTERNAL],
    ["a broken flag", Buffer.from([7, 0, 0, 0, 0]), {}, grpc.status.INTERNAL],
    ["a flag without an encoding", Buffer.from([1, 0, 0, 0, 0]), {}, grpc.status.INTERNAL],
    [
      "what is no gzip",
      Buffer.from([1, 0, 0, 0, 1, 1]),
      { "grpc-encoding": "gzip" },
      grpc.status.INTERNAL,
    ],
    [
      "another encoding",
      Buffer.from([1, 0, 0, 0, 0]),
      { "grpc-encoding": "snappy" },
      grpc.status.UNIMPLEMENTED,
    ],
  ])("%s has its status", async (_what, body, more, status) => {
    const { headers } = await send(body, more);
    expect(headers["grpc-status"]).toBe(String(status));
    await isUp(4);
  });

  it("a message that announces 4 GiB is refused at its head", async () => {
    const { headers } = await send(Buffer.from([0, 255, 255, 255, 255]), {}, false);
    expect(headers["grpc-status"]).toBe(String(grpc.status.RESOURCE_EXHAUSTED));
  });

  it.each([{ ":method": "GET" }, { "content-type": "application/json" }])(
    "%j gets HTTP's own status",
    async (more) => {
      expect((await send(Buffer.alloc(0), more)).headers[":status"]).toBe(415);
    },
  );

  it("a message byte by byte is read", async () => {
    const { headers } = await new Promise<{ headers: Record<string, unknown> }>((resolve) => {
      const stream = session.request(HEADERS);
      stream.on("response", (headers) => resolve({ headers }));
      const message = [0x0a, 4, ...Buffer.from("shop"), 0x12, 0];
      for (const byte of [0, 0, 0, 0, message.length, ...message])
        stream.write(Buffer.from([byte]));
      stream.end();
    });
    expect(headers[":status"]).toBe(200);
  });

  it("a connection that goes between calls' headers and their messages costs nothing", async () => {
    const gone: Promise<unknown>[] = [];
    server.server.on("stream", (stream) => gone.push(once(stream, "close")));
    const lost = connectHttp2(`http://127.0.0.1:${server.port}`);
    lost.on("error", () => {});
    await once(lost, "connect");
    for (let call = 0; call < 20; call++) lost.request(HEADERS).on("error", () => {});
    await new Promise((answered) => lost.ping(answered));
    // Out of the ping's own event: what is destroyed there tells the server nothing.
    await new Promise((next) => setImmediate(() => setImmediate(next)));
    lost.destroy();
    // What the events of these streams throw would end the process, and fails this test.
    await Promise.all(gone);
    expect(gone.length).toBe(20);
    await isUp(4);
  });

  it("a flood of resets ends the connection, and no other", async () => {
    const closed = new Promise<void>((resolve) => session.on("close", () => resolve()));
    const flood = () => {
      for (let number = 0; number < 500 && !session.destroyed && !session.closed; number++) {
        const stream = session.request(HEADERS);
        stream.on("error", () => {});
        stream.close(constants.NGHTTP2_CANCEL);
      }
      if (!session.destroyed && !session.closed) setImmediate(flood);
    };
    flood();
    await closed;
    await isUp(4);
  });
});
