/** What is no HTTP, or not as clients usually have it: bytes on real sockets. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { connectTo, exchange, getText, postText, statusesOf } from "../../support/raw.ts";
import { descriptor, serve } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const LAST = { Connection: "close" };
const TOO_LARGE = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`;
const CHUNKED = "Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";

const BROKEN: readonly (readonly [what: string, bytes: string, status: number, code: string])[] = [
  ["no HTTP", "EHLO spillway\r\n\r\n", 400, "bad-request"],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "bad-request"],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "bad-request"],
  ["no host", "GET /healthcheck HTTP/1.1\r\n\r\n", 400, "bad-request"],
  ["two lengths", getText("/", { "Content-Length": "1\r\nContent-Length: 2" }), 400, "bad-request"],
  [
    "a length and chunks",
    getText("/", { "Content-Length": "3", "Transfer-Encoding": "chunked" }),
    400,
    "bad-request",
  ],
  ["space before a colon", getText("/", { "Content-Length ": "3" }), 400, "bad-request"],
  ["a bare line feed", "GET / HTTP/1.1\nHost: localhost\n\n", 400, "bad-request"],
  ["a broken chunk", `POST /v1/limit HTTP/1.1\r\n${CHUNKED}\r\n\r\nxyz\r\n`, 400, "bad-request"],
  ["large headers", TOO_LARGE, 431, "headers-too-large"],
  [
    "a large chunk extension",
    `POST /v1/limit HTTP/1.1\r\n${CHUNKED}\r\n\r\n1;x=${"x".repeat(20_000)}\r\n`,
    413,
    "body-too-large",
  ],
];

/** The one problem that came back. */
function problemOf(answer: string) {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { head: head.toLowerCase(), body: JSON.parse(body) as Record<string, unknown> };
}

describe("a request that is no HTTP", () => {
  it.each(BROKEN)(
    "for %s gets a problem, and the connection ends",
    async (_, bytes, status, code) => {
      const server = await serve(SHOP);
      const { head, body } = problemOf(await exchange(server, bytes));
      expect(head).toContain(`http/1.1 ${status} `);
      expect(head).toContain("content-type: application/problem+json");
      expect(head).toContain("connection: close");
      expect(body).toMatchObject({ type: "about:blank", status, code });
      expect(statusesOf(await exchange(server, getText("/healthcheck", LAST)))).toEqual([200]);
    },
  );

  it.each([
    ["headers", "POST /v1/limit HTTP/1.1\r\nHost: local"],
    ["a body", postText("/v1/limit", ann).slice(0, -1)],
    ["nothing", ""],
  ])("for being slow with %s gets a problem", async (_, bytes) => {
    const server = await serve(SHOP, { bounds: { requestTimeout: 50 } });
    const { head, body } = problemOf(await exchange(server, bytes));
    expect(head).toContain("http/1.1 408 ");
    expect(body).toMatchObject({ status: 408, code: "request-timeout" });
  });

  it("is told so after the answers to what came before it", async () => {
    const server = await serve(SHOP);
    const answer = await exchange(
      server,
      `${postText("/v1/limit", ann).repeat(3)}nonsense\r\n\r\n`,
    );
    expect(statusesOf(answer)).toEqual([200, 200, 200, 400]);
  });

  it("is told nothing when its answer has been given", async () => {
    const server = await serve(SHOP);
    const answer = await exchange(
      server,
      `GET /healthcheck HTTP/1.1\r\n${CHUNKED}\r\n\r\n10000\r\n${"x".repeat(0x10000)}\r\nzzz\r\n`,
    );
    expect(statusesOf(answer).length).toBeLessThanOrEqual(1);
  });

  it("of a client that is gone does no harm", async () => {
    const server = await serve(SHOP);
    for (const bytes of ["nonsense\r\n\r\n", postText("/v1/limit", ann).slice(0, -1)]) {
      const accepted = once(server.app.server, "connection") as Promise<[Socket]>;
      const client = await connectTo(server);
      const [socket] = await accepted;
      client.write(bytes);
      client.resetAndDestroy();
      if (!socket.closed) await new Promise<void>((closed) => socket.once("close", closed));
    }
    expect(statusesOf(await exchange(server, getText("/healthcheck", LAST)))).toEqual([200]);
  });
});

it("an offer of another protocol is declined", async () => {
  const server = await serve(SHOP);
  const offer = { Connection: "Upgrade, close", Upgrade: "websocket" };
  expect(statusesOf(await exchange(server, getText("/healthcheck", offer)))).toEqual([200]);
});

describe("pipelined requests", () => {
  it("are answered one after the other, however many there are", async () => {
    const server = await serve(SHOP);
    const client = await connectTo(server);
    const answers = text(client);
    client.write(postText("/v1/check", ann).repeat(9_999));
    client.end(postText("/v1/check", ann, LAST));
    const statuses = statusesOf(await answers);
    expect(statuses).toHaveLength(10_000);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("take one after the other", async () => {
    const server = await serve(SHOP);
    const requests = postText("/v1/limit", ann).repeat(7) + getText("/healthcheck", LAST);
    const answer = await exchange(server, requests);
    expect(statusesOf(answer)).toEqual([200, 200, 200, 200, 200, 429, 429, 200]);
    const remaining = [...answer.matchAll(/^\{"ok":true.*?"remaining":(\d)/gm)].map(([, n]) => n);
    expect(remaining).toEqual(["4", "3", "2", "1", "0"]);
  });

  it("may have large bodies", async () => {
    const server = await serve(SHOP);
    const many = Array.from({ length: 700 }, (_, index) => descriptor(`address=${index}`));
    const large = postText("/v1/limit", { domain: "shop", descriptors: many });
    const answer = await exchange(server, large.repeat(20) + getText("/healthcheck", LAST));
    expect(statusesOf(answer)).toEqual(Array.from({ length: 21 }, () => 200));
  });

  it("are not handled after one that ends the connection", async () => {
    const server = await serve(SHOP);
    const requests = postText("/v1/limit", ann, LAST) + postText("/v1/limit", ann).repeat(3);
    expect(statusesOf(await exchange(server, requests))).toEqual([200]);
    const check = await exchange(server, postText("/v1/check", ann, LAST));
    expect(check).toContain('"remaining":3');
  });
});
