/** What messages that are begun and left can make a gRPC server hold, and whether others are answered meanwhile. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { gzipSync } from "node:zlib";
import * as grpc from "@grpc/grpc-js";
import { beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { createService, type Defence, HeldBytes } from "../../../src/index.ts";
import { framed } from "../../../src/transports/envoy-rls/grpc/message-frame.ts";
import { type PackedMessage, Unpacking } from "../../../src/transports/envoy-rls/grpc/unpacking.ts";
import { atEnd } from "../../support/at-end.ts";
import { rulesOf } from "../../support/rules.ts";
import { SHOP } from "../../support/shop.ts";
import { encoded, type RlsServer, serveRls } from "./grpc-transport.ts";

const KIB = 1024;
const MOST = 256 * KIB;
const HEADERS = {
  ":method": "POST",
  ":path": "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
  "content-type": "application/grpc",
};
const [OK, TOO_MANY] = [grpc.status.OK, grpc.status.RESOURCE_EXHAUSTED].map(String);

let held: HeldBytes;
let told: Defence[];
/** The first user of each request, in the order in which they were decided. */
let decided: string[];
let onDecided: () => void;
let server: RlsServer;
beforeEach(async () => {
  held = new HeldBytes({ most: MOST });
  told = [];
  decided = [];
  onDecided = () => {};
  const service = createService({ rules: rulesOf(SHOP) });
  const limit: typeof service.limit = (request) => {
    decided.push(request.descriptors[0]?.entries[0]?.value ?? "");
    onDecided();
    return service.limit(request);
  };
  const onDefence = (defence: Defence) => told.push(defence);
  server = await serveRls({ service: { ...service, limit }, held, onDefence, longest: 64 * KIB });
  atEnd(server.close);
});

function session(): ClientHttp2Session {
  const made = connect(`http://127.0.0.1:${server.port}`);
  made.on("error", () => {});
  atEnd(() => made.destroy());
  return made;
}

type Asking = { readonly stream: ClientHttp2Stream; readonly status: Promise<string> };

/** A call whose message is sent by the test, and the status that it gets. */
function begin(of: ClientHttp2Session, encoding?: string): Asking {
  const more = encoding === undefined ? {} : { "grpc-encoding": encoding };
  const stream = of.request({ ...HEADERS, ...more });
  stream.on("error", () => {});
  stream.resume();
  const status = new Promise<string>((resolve) => {
    let found = "none";
    const note = (fields: object) => {
      found = String((fields as Record<string, unknown>)["grpc-status"] ?? found);
    };
    stream.on("response", note);
    stream.on("trailers", note);
    stream.on("close", () => resolve(found));
  });
  return { stream, status };
}

const frameOf = (message: Uint8Array, flag = 0) => {
  const frame = framed(message.length, (bytes, offset) => bytes.set(message, offset));
  frame[0] = flag;
  return frame;
};

/** Asks for as many users, of which the first has a name. */
const asking = (name: string, users = 1) =>
  encoded({
    domain: "shop",
    descriptors: Array.from({ length: users }, (_, number) => ({
      entries: [{ key: "user", value: number === 0 ? name : `${name}${number}` }],
    })),
  });

const ask = (of: ClientHttp2Session, frame: Buffer, encoding?: string) => {
  const { stream, status } = begin(of, encoding);
  stream.end(frame);
  return status;
};

/** Begins messages of 40 KiB, and leaves them. */
function beginMany(of: ClientHttp2Session, count: number): readonly Asking[] {
  const part = frameOf(Buffer.alloc(60 * KIB)).subarray(0, 40 * KIB);
  return Array.from({ length: count }, () => {
    const asked = begin(of);
    asked.stream.write(part);
    return asked;
  });
}

describe("messages that are begun and left", () => {
  it("hold so much over all connections, and then the oldest is refused", async () => {
    const many = [session(), session(), session()].flatMap((of) => beginMany(of, 6));
    await until(async () => told.length > 0, { what: "one is dropped" });
    expect(held.bytes).toBeLessThanOrEqual(MOST);
    expect(new Set(told)).toEqual(new Set(["message-dropped"]));
    const first = await Promise.race(many.map(({ status }) => status));
    expect(first).toBe(TOO_MANY);
  });

  it("don't keep others from being answered, in one part or in several", async () => {
    beginMany(session(), 6);
    beginMany(session(), 6);
    await until(async () => told.length > 0, { what: "there is no more room" });
    const honest = session();
    expect(await ask(honest, frameOf(asking("ann")))).toBe(OK);
    const { stream, status } = begin(honest);
    const frame = frameOf(asking("ben"));
    const before = told.length;
    stream.write(frame.subarray(0, 7));
    // A ping is answered after what was sent before it.
    await new Promise((answered) => honest.ping(answered));
    stream.end(frame.subarray(7));
    expect(await status).toBe(OK);
    expect(told.length).toBeGreaterThanOrEqual(before);
    expect(decided).toEqual(["ann", "ben"]);
  });

  it("hold 4 KiB at least, so that not even many small ones hold much", async () => {
    const of = session();
    for (let call = 0; call < 100; call++) begin(of).stream.write(Buffer.from([0, 0]));
    await until(async () => told.length >= 100 - MOST / (4 * KIB), { what: "36 are dropped" });
    expect(held.bytes).toBe(MOST);
  });

  it("hold 4 KiB before their first byte, and are answered once it is there", async () => {
    const of = session();
    const room = MOST / (4 * KIB);
    const many = Array.from({ length: room + 10 }, () => begin(of));
    const oldest = many.splice(0, 10);
    expect(await Promise.all(oldest.map(({ status }) => status))).toEqual(Array(10).fill(TOO_MANY));
    expect([held.bytes, told.length]).toEqual([MOST, 10]);
    many.forEach(({ stream }, number) => {
      const frame = frameOf(asking(`user${number}`));
      if (number % 2 === 0) stream.end(frame);
      else stream.write(frame.subarray(0, 3), () => stream.end(frame.subarray(3)));
    });
    expect(await Promise.all(many.map(({ status }) => status))).toEqual(Array(room).fill(OK));
    expect([held.bytes, told.length]).toEqual([0, 10]);
  });

  const HELD = frameOf(Buffer.alloc(50 * KIB));
  it.each<[string, (asked: Asking, of: ClientHttp2Session) => unknown]>([
    ["its end", ({ stream }) => stream.end(HELD.subarray(20 * KIB))],
    ["an early end", ({ stream }) => stream.end()],
    ["a reset", ({ stream }) => stream.close(constants.NGHTTP2_CANCEL)],
    ["the connection's end", (_, of) => of.destroy()],
  ])("hold nothing after %s", async (_, finish) => {
    const of = session();
    const asked = begin(of);
    asked.stream.write(HELD.subarray(0, 20 * KIB));
    await until(async () => held.bytes > 20 * KIB, { what: "it is held" });
    finish(asked, of);
    await until(async () => held.bytes === 0, { what: "nothing is held" });
    expect(told).toEqual([]);
  });
});

describe("compressed messages", () => {
  const bomb = gzipSync(Buffer.alloc(60 * KIB, Buffer.from([0x0a, 0])));
  const packed = (name: string) => frameOf(gzipSync(asking(name)), 1);

  it("wait until they can be unpacked, and hold nothing then", async () => {
    const of = session();
    const small = gzipSync(Buffer.alloc(12 * KIB, Buffer.from([0x0a, 0])));
    const all = Array.from({ length: 20 }, () => ask(of, frameOf(small, 1), "gzip"));
    expect(await ask(session(), packed("ann"), "gzip")).toBe(OK);
    // No domain: it was unpacked, and read to its end. Nobody was refused for want of room.
    expect(new Set(await Promise.all(all))).toEqual(new Set([String(grpc.status.UNKNOWN)]));
    expect([held.bytes, told]).toEqual([0, []]);
  });

  it("count with what they are unpacked to", async () => {
    const full = held.begin({ longest: MOST, onDropped: () => told.push("reader-cut") });
    full.add(Buffer.alloc(MOST - 8 * KIB));
    // 4 KiB as it came, and up to 60 unpacked: what is older has to go.
    expect(await ask(session(), frameOf(bomb, 1), "gzip")).toBe(String(grpc.status.UNKNOWN));
    expect(told).toEqual(["reader-cut"]);
    expect(held.bytes).toBe(0);
  });

  it.each([
    ["no gzip", Buffer.alloc(30), grpc.status.INTERNAL],
    ["gzip cut short", bomb.subarray(0, 40), grpc.status.INTERNAL],
    ["too long", gzipSync(Buffer.alloc(65 * KIB)), grpc.status.RESOURCE_EXHAUSTED],
  ])("that are %s are refused, and hold nothing then", async (_, bytes, status) => {
    expect(await ask(session(), frameOf(bytes, 1), "gzip")).toBe(String(status));
    expect([held.bytes, told]).toEqual([0, []]);
  });

  it("whose client goes hold nothing, and are not decided", async () => {
    let waited = 0;
    let calls = 0;
    server.server.on("stream", ({ session }) => {
      if (++calls < 30) return;
      setImmediate(() => {
        waited = held.bytes;
        session?.destroy();
      });
    });
    const of = session();
    await Promise.all(Array.from({ length: 30 }, () => ask(of, packed("gone"), "gzip")));
    await until(async () => held.bytes === 0, { what: "nothing is held" });
    expect(waited).toBeGreaterThan(0);
    expect(decided.length).toBeLessThan(30);
  });

  it("are unpacked four at a time, and connections take turns", async () => {
    const unpacking = new Unpacking();
    const running: { name: string; finish: () => void }[] = [];
    const begun: string[] = [];
    const one = (name: string): PackedMessage => ({
      unpack: () => {
        begun.push(name);
        return new Promise((resolve) => running.push({ name, finish: resolve }));
      },
    });
    const [first, second] = [{}, {}];
    for (let number = 0; number < 8; number++) unpacking.add(first, one(`a${number}`));
    unpacking.add(second, one("b0"));
    expect(begun).toEqual(["a0", "a1", "a2", "a3"]);
    while (running.length > 0) {
      expect(running.length).toBeLessThanOrEqual(4);
      running.shift()?.finish();
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(begun.slice(4)).toEqual(["a4", "b0", "a5", "a6", "a7"]);
  });
});

describe("many messages of one connection", () => {
  it("give way to those of others", async () => {
    const [greedy, other] = [session(), session()];
    await Promise.all([ask(greedy, frameOf(asking("x"))), ask(other, frameOf(asking("y")))]);
    decided.length = 0;
    const many = Array.from({ length: 8 }, () => ask(greedy, frameOf(asking("greedy", 250))));
    const one = ask(other, frameOf(asking("other")));
    expect(new Set(await Promise.all([one, ...many]))).toEqual(new Set([OK]));
    expect(decided).toHaveLength(9);
    expect(decided.indexOf("other")).toBeLessThan(8);
    expect([held.bytes, told]).toEqual([0, []]);
  });

  it("are decided 16 KiB in a turn, or until one makes it more", async () => {
    const of = session();
    await ask(of, frameOf(asking("x")));
    const size = frameOf(asking("greedy", 250)).length;
    let most = 0;
    let isOver = false;
    const count = () => {
      most = Math.max(most, decided.length);
      decided.length = 0;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const many = Array.from({ length: 8 }, () => ask(of, frameOf(asking("greedy", 250))));
    expect(new Set(await Promise.all(many))).toEqual(new Set([OK]));
    isOver = true;
    // Those of two turns may be between two counts.
    expect(most).toBeLessThanOrEqual(2 * Math.ceil((16 * KIB) / size));
  });

  it("are not decided where their client has gone meanwhile", async () => {
    const ends: (() => void)[] = [];
    server.server.on("session", (end) => ends.push(() => end.destroy()));
    const of = session();
    await ask(of, frameOf(asking("x")));
    decided.length = 0;
    onDecided = () => ends[0]?.();
    await Promise.all(Array.from({ length: 8 }, () => ask(of, frameOf(asking("gone", 250)))));
    await until(async () => held.bytes === 0, { what: "nothing is held" });
    expect(decided.length).toBeLessThan(8);
  });
});
