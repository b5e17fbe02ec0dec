/** Rules by host, where a request can name two: HTTP/2's `:authority`, or a whole URL as target. */
import { once } from "node:events";
import { connect, createServer, type Http2Server, type OutgoingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { fastify } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { RateLimiter } from "spillway";
import * as onFastify from "spillway/fastify";
import * as onHono from "spillway/hono";
import * as onKoa from "spillway/koa";
import * as onNode from "spillway/node";
import { describe, expect, it } from "vitest";
import type { RuleLimits } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { exchange, statusesOf } from "../../support/raw.ts";
import { HOSTS } from "./rule-hosts.ts";
import { opened } from "./rule-scene.ts";

/** One request an hour to each of two hosts. */
const RULES = `
domain: shop
http:
  - match: { hosts: [a.example] }
    actions: [{ generic_key: { descriptor_value: a } }]
  - match: { hosts: [b.example] }
    actions: [{ generic_key: { descriptor_value: b } }]
descriptors:
  - { key: generic_key, value: a, rate_limit: { unit: hour, requests_per_unit: 1 } }
  - { key: generic_key, value: b, rate_limit: { unit: hour, requests_per_unit: 1 } }
`;

const limiter = new RateLimiter({});

async function listen(server: Http2Server): Promise<string> {
  atEnd(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Host = (limits: RuleLimits) => Promise<string>;

/** Servers of HTTP/2. Express has none. */
const HTTP2: Readonly<Record<string, Host>> = {
  "node:http2": (limits) =>
    listen(
      createServer(onNode.limited(limiter, { limits }, (_, reply) => void reply.end("served"))),
    ),
  fastify: async (limits) => {
    const app = fastify({ http2: true });
    app.addHook("onRequest", onFastify.limited(limiter, { limits }));
    app.all("*", async () => "served");
    atEnd(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
  hono: (limits) => {
    const app = new Hono().use(onHono.limited(limiter, { limits }));
    app.all("*", (context) => context.text("served"));
    return listen(createServer(getRequestListener(app.fetch)));
  },
  koa: (limits) => {
    const app = new Koa().use(onKoa.limited(limiter, { limits }));
    app.use((context) => {
      context.body = "served";
    });
    return listen(createServer(app.callback()));
  },
};

/** Sends requests in turn on one connection of HTTP/2. */
async function http2Statuses(url: string, requests: readonly OutgoingHttpHeaders[]) {
  const session = connect(url);
  const statuses: unknown[] = [];
  for (const headers of requests) {
    const stream = session.request(headers);
    const [response] = await once(stream, "response");
    await once(stream.resume(), "close");
    statuses.push(response[":status"]);
  }
  session.close();
  return statuses;
}

describe.each(Object.entries(HTTP2))("rules by host on HTTP/2: %s", (_, start) => {
  it("count for :authority, also beside a Host that is the same", async () => {
    const url = await start(await opened(RULES));
    const asked = [
      { ":authority": "a.example" },
      { ":authority": "A.example", host: "a.example" },
      { ":authority": "b.example:8443", host: "B.example:8443" },
      { ":authority": "b.example" },
    ];
    expect(await http2Statuses(url, asked)).toEqual([200, 429, 200, 429]);
  });

  it("refuse a request whose Host is another one, and count it for neither", async () => {
    const url = await start(await opened(RULES));
    const asked = [
      { ":authority": "a.example", host: "b.example" },
      { ":authority": "b.example", host: "a.example" },
      { ":authority": "a.example", host: "a.example:80" },
      { ":authority": "a.example" },
      { ":authority": "b.example" },
    ];
    expect(await http2Statuses(url, asked)).toEqual([400, 400, 400, 200, 200]);
  });
});

// The adapter for fetch has no target as it was sent: servers write the URL of a request themselves.
const HTTP1 = Object.entries(HOSTS).filter(([name]) => name !== "fetch");

describe.each(HTTP1)("rules by host and an absolute target: %s", (_, start) => {
  it("refuse another Host, and count it for neither", async () => {
    const url = (await start?.(await opened(RULES))) ?? "";
    const statuses: number[] = [];
    for (const [target, host] of [
      ["http://a.example/", "b.example"],
      ["http://a.example/", "a.example"],
      ["/", "a.example"],
      ["/", "b.example"],
    ]) {
      const text = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      statuses.push(...statusesOf(await exchange({ url }, text)));
    }
    expect(statuses).toEqual([400, 200, 429, 200]);
  });
});
