/** Envoy's `ext_authz`, over gRPC and over HTTP, by clients of our own. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { Redis } from "ioredis";
import protobuf from "protobufjs";
import { redisStore } from "spillway/redis";
import { describe, expect, it } from "vitest";
import { createService, type RlsOptions } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { rulesOf } from "../../support/rules.ts";
import { START, serve } from "../../support/service.ts";
import { openClient } from "../../support/shop-rls.ts";
import { serveRls } from "./grpc-transport.ts";

const RULES = `
domain: shop
http:
  - actions: [{ remote_address: {} }]
  - match: { path: "/users/{id}", methods: [POST], hosts: [shop.example] }
    actions: [{ request_headers: { header_name: x-api-key, descriptor_key: api_key } }]
  - match: { path: /closed }
    actions: [{ generic_key: { descriptor_value: closed } }]
  - match: { path: /reports }
    actions: [{ generic_key: { descriptor_value: reports } }]
descriptors:
  - { key: remote_address, rate_limit: { unit: minute, requests_per_unit: 9 } }
  - { key: api_key, rate_limit: { unit: hour, requests_per_unit: 2 } }
  - { key: generic_key, value: closed, rate_limit: { unit: minute, requests_per_unit: 0 } }
  - { key: generic_key, value: reports, rate_limit: { kind: concurrency, capacity: 3, ttl: 30s } }
`;

const PROTO = fileURLToPath(new URL("../../../proto/external_auth.proto", import.meta.url));
const root = protobuf.loadSync(PROTO);
const requestType = root.lookupType("CheckRequest");
const responseType = root.lookupType("CheckResponse");

type Asked = {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly source?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers as `encode_raw_headers` sends them, in place of the others. */
  readonly raw?: readonly (readonly [string, string])[];
  readonly extensions?: Readonly<Record<string, string>>;
};

function messageOf(asked: Asked): Buffer {
  const { method = "GET", path = "/", host = "shop.example", source = "192.0.2.1" } = asked;
  const headerMap = asked.raw && {
    headers: asked.raw.map(([key, value]) => ({ key, rawValue: Buffer.from(value, "latin1") })),
  };
  const http = { method, path, host, headers: asked.headers, headerMap };
  const attributes = {
    source: { address: { socketAddress: { address: source, portValue: 4000 } } },
    request: { http },
    contextExtensions: asked.extensions,
  };
  return Buffer.from(requestType.encode(requestType.fromObject({ attributes })).finish());
}

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

type Headers = readonly { readonly header: { readonly key: string; readonly value: string } }[];

function answerOf(bytes: Buffer): Answer {
  const { status, okResponse, deniedResponse } = responseType.toObject(responseType.decode(bytes));
  const listed = (okResponse?.responseHeadersToAdd ?? deniedResponse?.headers ?? []) as Headers;
  const headers = Object.fromEntries(listed.map(({ header }) => [header.key, header.value]));
  const isOk = (status?.code ?? 0) === 0;
  expect(isOk).toBe(deniedResponse === undefined);
  const denied = deniedResponse?.status?.code ?? 403;
  return { status: isOk ? 200 : denied, headers, body: deniedResponse?.body };
}

async function opened(options: Partial<RlsOptions> = {}) {
  const service = createService({ rules: rulesOf(RULES), clock: () => START });
  const server = await serveRls({ service, ...options });
  atEnd(server.close);
  const client = openClient(server);
  const send = (bytes: Buffer) =>
    new Promise<Answer>((resolve, reject) => {
      client.makeUnaryRequest(
        "/envoy.service.auth.v3.Authorization/Check",
        (message: Buffer) => message,
        answerOf,
        bytes,
        (error, value) => (error === null ? resolve(value as Answer) : reject(error)),
      );
    });
  return { send, ask: (asked: Asked = {}) => send(messageOf(asked)) };
}

const codeIn = ({ body = "{}" }: Answer) => JSON.parse(body).code;

describe("over gRPC", () => {
  it("admits, and says what is left", async () => {
    const { ask } = await opened();
    const posted = { method: "POST", path: "/users/7?a", headers: { "x-api-key": "k" } };
    expect(await ask(posted)).toEqual({
      status: 200,
      headers: {
        ratelimit: '"shop/api_key";r=1;t=3588, "shop/remote_address";r=8;t=48',
        "ratelimit-policy": '"shop/api_key";q=2;w=3600, "shop/remote_address";q=9;w=60',
      },
      body: undefined,
    });
    await ask(posted);
    const refused = await ask({ ...posted, path: "/USERS/%37/" });
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      "retry-after": "3588",
      ratelimit: '"shop/api_key";r=0;t=3588',
      "cache-control": "no-store",
      "content-type": "application/problem+json",
    });
    expect(JSON.parse(refused.body ?? "")).toMatchObject({
      status: 429,
      "violated-policies": ["shop/api_key"],
    });
    // The method, the host and the path count.
    for (const one of [{ method: "GET" }, { host: "b.example" }, { path: "/users" }]) {
      expect((await ask({ ...posted, ...one })).status).toBe(200);
    }
  });

  it("reads the peer of Envoy's connection, or as many proxies back as a route says", async () => {
    const { ask } = await opened();
    const left = async (asked: Asked) =>
      /r=(\d)/.exec((await ask(asked)).headers.ratelimit ?? "")?.[1];
    const headers = { "x-forwarded-for": "198.51.100.1, 192.0.2.1" };
    expect(await left({ headers })).toBe("8");
    expect(await left({ source: "::ffff:192.0.2.1" })).toBe("7");
    expect(await left({ headers, source: "10.0.0.1", extensions: { hops: "1" } })).toBe("6");
    expect(await left({ headers, source: "10.0.0.1", extensions: { hops: "2" } })).toBe("8");
    expect(await left({ headers: {}, extensions: { hops: "1" } })).toBe(undefined);
  });

  it.each<[string, Asked, number, string]>([
    ["no method", { method: "" }, 400, "bad-request"],
    ["no path", { path: "" }, 400, "bad-request"],
    ["no host", { host: "" }, 400, "bad-request"],
    ["no address", { source: "" }, 400, "bad-request"],
    ["a pipe", { source: "@/run/a" }, 400, "bad-request"],
    ["bad hops", { extensions: { hops: "9" } }, 400, "bad-request"],
    ["no such domain", { extensions: { domain: "other" } }, 404, "unknown-domain"],
    ["a NUL", { path: "/%00" }, 400, "bad-request"],
    ["two meanings", { path: "/a/..%2Fb" }, 400, "bad-request"],
    ["a concurrency limit", { path: "/reports" }, 400, "wrong-kind"],
    [
      "a repeated header",
      {
        method: "POST",
        path: "/users/7",
        raw: [
          ["x-api-key", "a"],
          ["x-api-key", "b"],
        ],
      },
      400,
      "bad-request",
    ],
  ])("refuses %s, and takes nothing", async (_, asked, status, code) => {
    const { ask } = await opened();
    const answer = await ask(asked);
    expect([answer.status, codeIn(answer)]).toEqual([status, code]);
    expect((await ask()).headers.ratelimit).toContain("r=8");
  });

  it("reads raw headers byte by byte", async () => {
    const { ask } = await opened();
    const posted = { method: "POST", path: "/users/7" };
    for (const key of ["\xff", "\xfe"]) {
      expect((await ask({ ...posted, raw: [["X-Api-Key", key]] })).headers.ratelimit).toContain(
        "r=1",
      );
    }
  });

  it.each([
    ["no protobuf", Buffer.from([0xff, 0xff])],
    ["a field over the end", Buffer.from([0x0a, 0x7f])],
    ["a field over its message", Buffer.from([0x0a, 0x04, 0x22, 0x04, 0x12, 0x00, 0, 0])],
    [
      "a text that is not UTF-8",
      Buffer.from([0x0a, 0x06, 0x22, 0x04, 0x12, 0x02, 0x12, 0x01, 0xff]),
    ],
  ])("%s is an error of the call", async (_, bytes) => {
    const { send } = await opened();
    await expect(send(bytes)).rejects.toMatchObject({ code: grpc.status.INTERNAL });
  });

  it("several Accept lines say together what a refusal may be, and refuse nothing", async () => {
    const { ask } = await opened();
    const accepts = [
      ["accept", "text/html"],
      ["accept", "application/json;q=0.5"],
    ] as const;
    expect((await ask({ raw: accepts })).status).toBe(200);
    const refused = await ask({ path: "/closed", raw: accepts });
    expect([refused.status, refused.headers["content-type"]]).toEqual([
      429,
      "text/html; charset=utf-8",
    ]);
  });

  it("an empty message is refused", async () => {
    const { send } = await opened();
    expect((await send(Buffer.alloc(0))).status).toBe(400);
  });

  it.each([
    [false, 503],
    [true, grpc.status.UNAVAILABLE],
  ])("without the store: fails %s", async (failsUnanswered, expected) => {
    const client = new Redis({ lazyConnect: true });
    client.disconnect();
    const store = redisStore(client);
    const service = createService({ rules: rulesOf(RULES), store });
    const { ask } = await opened({ service, failsUnanswered });
    const found = await ask().then(
      ({ status }) => status,
      ({ code }) => code,
    );
    expect(found).toBe(expected);
  });
});

describe("over HTTP", () => {
  const adminToken = "0123456789abcdef";

  /**
   * Asks as Envoy does: with the original method, path and host, its own address behind those of
   * X-Forwarded-For, and the client's in the header that its configuration names.
   */
  async function ask(url: string, prefix: string, { method = "GET", path = "/", ...asked }: Asked) {
    const { host = "shop.example", source = "192.0.2.1" } = asked;
    const forwarded = { "x-forwarded-for": "192.0.2.200", "x-original-address": source };
    const headers = { host, ...forwarded, ...asked.headers };
    const sent = request(url, { method, path: prefix + path, headers, agent: false }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const body = await text(response);
    return { status: response.statusCode, headers: response.headers, body };
  }

  it("the original path follows the domain, whatever it has", async () => {
    const { url } = await serve(RULES, { adminToken });
    const posted = { method: "POST", headers: { "x-api-key": "k" } };
    const path = "/users/7?refuse=200&domain=other&hops=2";
    const first = await ask(url, "/auth/envoy/shop", { ...posted, path });
    expect([first.status, first.headers.ratelimit]).toEqual([
      200,
      '"shop/api_key";r=1;t=3588, "shop/remote_address";r=8;t=48',
    ]);
    await ask(url, "/auth/envoy/shop", { ...posted, path: "/x/../users/8" });
    const refused = await ask(url, "/auth/envoy/shop", { ...posted, path: "/uSers/%38/" });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "3588"]);
    expect(JSON.parse(refused.body)).toMatchObject({ "violated-policies": ["shop/api_key"] });
  });

  it.each<[string, Asked, string, number]>([
    ["a path that is long", { path: `/${"a".repeat(8000)}` }, "shop", 200],
    ["another method", { method: "DELETE" }, "shop", 200],
    ["an unknown domain", {}, "other", 404],
    ["no domain", {}, "", 404],
    ["a broken domain", {}, "%zz", 400],
    ["a NUL", { path: "/%00" }, "shop", 400],
    ["a broken escape", { path: "/%zz" }, "shop", 400],
    ["two meanings", { path: "/a/..%2Fb" }, "shop", 400],
    ["no address", { source: "" }, "shop", 400],
    ["a limit of none", { path: "/closed" }, "shop", 429],
    ["a client that asks for another refusal", { path: "/closed?refuse=503" }, "shop", 429],
    ["a path that leads out of the prefix", { path: "/../../../v1/reset" }, "shop", 200],
  ])("%s", async (_, asked, domain, status) => {
    const { url } = await serve(RULES, { adminToken });
    expect((await ask(url, `/auth/envoy/${domain}`, asked)).status).toBe(status);
  });

  it("each client has its own budget", async () => {
    const { url } = await serve(RULES, { adminToken });
    for (const source of ["192.0.2.1", "192.0.2.2", "2001:db8::1"]) {
      const { headers } = await ask(url, "/auth/envoy/shop", { source });
      expect(headers.ratelimit).toBe('"shop/remote_address";r=8;t=48');
    }
  });

  it("a host of another machine needs the admin token to be set", async () => {
    const { url } = await serve(RULES);
    expect((await ask(url, "/auth/envoy/shop", {})).status).toBe(403);
  });
});
