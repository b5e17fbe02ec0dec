/** Requests and responses that throw when they are read or written: no lease stays behind. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { limited as ofExpress } from "../../../src/http/middleware/express/index.ts";
import { limited as ofFetch } from "../../../src/http/middleware/fetch/index.ts";
import { limited as ofHono } from "../../../src/http/middleware/hono/index.ts";
import { limited as ofNode } from "../../../src/http/middleware/node/index.ts";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { until } from "../../servers/until.ts";

const route = { limit: "it", key: "all" } as const;

function reports() {
  const limiter = new RateLimiter({ it: { kind: "concurrency", capacity: 1, ttl: MINUTE } });
  return { limiter, left: () => limiter.value("it", { key: "all" }).remaining };
}

/** Made by another library, which does not let others add to it. */
function sealed<R extends object>(request: R): R {
  return Object.preventExtensions(request);
}

test("a request of `fetch` that can't be marked is a rejection, and holds no lease", async () => {
  const { limiter, left } = reports();
  const get = ofFetch(limiter, route, () => new Response("served"));
  await expect(get(sealed(new Request("http://a/")))).rejects.toThrow("extensible");
  await until(() => left() === 1, { what: "the lease is over" });
  const { proxy, revoke } = Proxy.revocable(new Request("http://a/"), {});
  revoke();
  await expect(get(proxy)).rejects.toThrow("revoked");
});

test("a context of Hono that can't be marked is a rejection, and holds no lease", async () => {
  const { limiter, left } = reports();
  const app = new Hono();
  const failing = ofHono(limiter, route);
  let isRejected = false;
  app.use(async (context, next) => {
    context.set = () => {
      throw new Error("no more values");
    };
    await failing(context, next).catch(() => {
      isRejected = true;
    });
    return context.body("refused", 500);
  });
  expect((await app.request("/")).status).toBe(500);
  expect(isRejected).toBe(true);
  await until(() => left() === 1, { what: "the lease is over" });
});

/** Has a server answer one request by a middleware, with what that throws as 500. */
async function statusOf(answer: (request: object, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => {
    try {
      answer(request, response);
    } catch {
      response.writeHead(500).end();
    }
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/`)).status;
}

/** Something of Node's that throws. */
function unwritable(response: ServerResponse): ServerResponse {
  response.setHeader = () => {
    throw new Error("no more headers");
  };
  return response;
}

test("neither a request nor a response of `node:http` that throws keeps a lease", async () => {
  const { limiter, left } = reports();
  const byNode = ofNode(limiter, route, (_, response) => response.end("served"));
  const byExpress = ofExpress(limiter, route);
  const unmarked = (request: object) => Object.defineProperty(request, "spillway", { value: 1 });
  for (const by of [byNode, byExpress] as ((...all: unknown[]) => unknown)[]) {
    const next = () => {};
    expect(await statusOf((request, response) => by(unmarked(request), response, next))).toBe(500);
    await until(() => left() === 1, { what: "the lease is over" });
    expect(await statusOf((request, response) => by(request, unwritable(response), next))).toBe(
      500,
    );
    await until(() => left() === 1, { what: "the lease is over" });
  }
});
