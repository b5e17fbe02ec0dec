/** How much a request may say, over gRPC and over HTTP, and how little of what is too much is read. */
import * as grpc from "@grpc/grpc-js";
import protobuf from "protobufjs/minimal.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createService } from "../../../src/index.ts";
import { RequestError } from "../../../src/service/request-error.ts";
import { readRequest } from "../../../src/transports/envoy-rls/request.ts";
import { rulesOf } from "../../support/rules.ts";
import { send, serve } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";
import { call, clientOf, type RlsServer, serveRls } from "./grpc-transport.ts";

type Entry = { readonly key: string; readonly value: string };
type Request = {
  readonly domain: string;
  readonly descriptors: readonly { readonly entries: readonly Entry[] }[];
};

const user = { key: "user", value: "ann" };
const times = <T>(count: number, item: T): readonly T[] =>
  Array.from({ length: count }, () => item);
const withText = (field: "key" | "value", length: number): Request => ({
  domain: "shop",
  descriptors: [{ entries: [{ ...user, [field]: "x".repeat(length) }] }],
});

/** What is just within a bound, and what is just beyond it. */
const BOUNDS: readonly (readonly [what: string, within: Request, beyond: Request, said: string])[] =
  [
    [
      "descriptors",
      { domain: "shop", descriptors: times(1000, { entries: [user] }) },
      { domain: "shop", descriptors: times(1001, { entries: [user] }) },
      "descriptors, expected 1000 or fewer of them",
    ],
    [
      "entries",
      { domain: "shop", descriptors: [{ entries: times(64, user) }] },
      { domain: "shop", descriptors: [{ entries: [user] }, { entries: times(65, user) }] },
      "descriptors[1]",
    ],
  ];

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

const statusOf = (request: object) =>
  call(client, request).then(
    () => ({ code: grpc.status.OK, details: "" }),
    ({ code, details }: grpc.ServiceError) => ({ code, details }),
  );

describe("a request", () => {
  it.each(BOUNDS)("has so many %s and no more, over gRPC", async (_, within, beyond, said) => {
    expect(await statusOf(within)).toEqual({ code: grpc.status.OK, details: "" });
    const { code, details } = await statusOf(beyond);
    expect(code).toBe(grpc.status.INVALID_ARGUMENT);
    expect(details).toContain(said);
  });

  it.each(BOUNDS)("has so many %s and no more, over HTTP", async (_, within, beyond, said) => {
    const http = await serve(SHOP);
    for (const path of ["/json", "/v1/check"]) {
      expect((await send(http, path, within)).status).not.toBe(400);
      const { status, body } = await send(http, path, beyond);
      expect(status).toBe(400);
      expect(body.detail).toContain(said === "descriptors[1]" ? "descriptors[1].entries" : said);
    }
  });

  it.each(["key", "value"] as const)("has a %s of 64 KiB, and no longer one", async (field) => {
    expect((await statusOf(withText(field, 65_536))).code).toBe(grpc.status.OK);
    const { code, details } = await statusOf(withText(field, 65_537));
    expect(code).toBe(grpc.status.INVALID_ARGUMENT);
    expect(details).toContain("Found a text of 65537 bytes, expected 65536 or fewer");
  });
});

const MIB = 1024 * 1024;

/** A field with a length, whatever that is. */
function field(number: number, bytes: Uint8Array): Uint8Array {
  const writer = protobuf.Writer.create();
  return writer
    .uint32((number << 3) | 2)
    .bytes(bytes)
    .finish();
}

const empty = (count: number, tag: number) => Buffer.alloc(2 * count, Buffer.from([tag, 0]));

describe("of a message that says too much no more is read than there may be", () => {
  const read = vi.spyOn(protobuf.Reader.prototype, "uint32");
  afterEach(() => read.mockClear());

  it.each([
    ["empty descriptors", empty(MIB / 2, 0x12), 2 * 1001],
    ["empty entries", Buffer.from(field(2, empty(MIB / 2, 0x0a))), 2 + 2 * 65],
    ["an entry's texts", Buffer.from(field(2, field(1, field(1, Buffer.alloc(MIB, 97))))), 7],
    ["domain", Buffer.from(field(1, Buffer.alloc(MIB, 97))), 3],
  ])("%s", (_, bytes, most) => {
    expect(() => readRequest(bytes)).toThrow(RequestError);
    // Each field is a tag and a length; that of a text is passed before it is read.
    expect(read.mock.calls.length).toBeLessThanOrEqual(most);
  });
});

describe("of a field that comes again and again only the last one is read", () => {
  const long = vi.spyOn(protobuf.Reader.prototype, "uint64");
  const text = vi.spyOn(Buffer.prototype, "toString");
  afterEach(() => {
    long.mockClear();
    text.mockClear();
  });
  const utf8 = (name: string) => Buffer.from(name, "utf8");
  const again = (count: number, bytes: Uint8Array) =>
    Buffer.concat(Array.from({ length: count }, () => bytes));

  it("which is what it says", () => {
    const hits = Buffer.concat([again(1000, Uint8Array.of(8, 1)), Uint8Array.of(8, 7)]);
    const entry = [field(1, utf8("first")), field(1, utf8("key")), field(2, utf8("value"))];
    const descriptor = [field(1, Buffer.concat(entry)), again(100, field(3, hits))];
    const message = [
      again(1000, field(1, utf8("other"))),
      field(1, utf8("shop")),
      field(2, Buffer.concat(descriptor)),
    ];
    const { domain, descriptors } = readRequest(Buffer.concat(message));
    expect(domain).toBe("shop");
    expect(descriptors).toEqual([
      expect.objectContaining({ entries: [{ key: "key", value: "value" }], hitsAddend: 7 }),
    ]);
    expect(long.mock.calls.length).toBe(1);
    expect(text.mock.calls.length).toBe(3);
  });
});
