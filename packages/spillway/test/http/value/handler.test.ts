/** What is shown of a limit, and to whom. */
import { createServer } from "node:http";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { valueHandler, valueSnapshot } from "../../../src/http/value/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { SpillwayError } from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { listening } from "../middleware/host.ts";

const store = () => memoryStore({ clock: manualClock() });

function limiterOf() {
  const limiter = new RateLimiter(
    { messages: { kind: "token bucket", rate: 10, period: "1m", whenUnavailable: "open" } },
    { store: store() },
  );
  limiter.limit("messages", { key: "ada", count: 4 });
  return limiter;
}

const ADA = { limit: "messages", capacity: 10, remaining: 6, resetAfter: 24_000, blockedFor: 0 };
const cookie = (user: string) => ({ headers: { Cookie: `user=${user}` } });
const userOf = (text: string | null | undefined) => /user=(\w+)/.exec(text ?? "")?.[1];

describe("the handler", () => {
  const handler = () =>
    valueHandler(limiterOf(), {
      limit: "messages",
      key: async (request: Request) => userOf(request.headers.get("cookie")),
    });
  const ask = async (init: RequestInit, url = "http://site/left") =>
    (await handler()(new Request(url, init))) as Response;

  test("shows whose session it is what is left, to nobody else, and keeps it nowhere", async () => {
    const response = await ask(cookie("ada"));
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toMatchObject(ADA);
    const other = await ask(cookie("eve"), "http://site/left?key=ada&user=ada");
    expect(await other.json()).toMatchObject({ remaining: 10 });
    const nobody = await ask({}, "http://site/left?key=ada");
    expect([nobody.status, nobody.headers.get("Content-Type")]).toEqual([
      401,
      "application/problem+json",
    ]);
  });

  test("shows the arithmetic of the limit, and nothing of how it is kept", async () => {
    const { state } = (await (await ask(cookie("ada"))).json()) as { state: object };
    const definition = { kind: "token bucket", rate: 10, period: 60_000, capacity: 10 };
    expect(state).toEqual({ definition, used: 24_000, previous: 0, age: 0 });
  });

  test("takes nothing, and is for reading only", async () => {
    const limiter = limiterOf();
    const handler = valueHandler(limiter, { limit: "messages", key: "ada" });
    for (let times = 0; times < 3; times++) await handler({ method: "GET" });
    expect(limiter.value("messages", { key: "ada" }).remaining).toBe(6);
    const post = (await handler({ method: "POST" })) as Response;
    expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("says when the store does not answer", async () => {
    const expected = "a store that answers";
    const error = new SpillwayError({ code: "unavailable", field: "store", expected });
    const fail = () => Promise.reject(error);
    const away = { timing: "later", execute: fail } as const;
    const limiter = new RateLimiter(
      { messages: { kind: "token bucket", rate: 10, period: "1m" } },
      { store: away as never },
    );
    const handler = valueHandler(limiter, { limit: "messages", key: "ada" });
    const response = (await handler({ method: "GET" })) as Response;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ type: expect.stringContaining("capacity") });
  });

  test("is refused where it says what there is not", () => {
    const limiter = limiterOf();
    const made = (route: object) => () => valueHandler(limiter, route as never);
    expect(made({ limit: "message", key: "a" })).toThrow("messages");
    expect(made({ limit: "messages" })).toThrow("key");
    expect(made({ limit: "messages", key: 5 })).toThrow("key");
    expect(made({ limit: "messages", key: "a", keys: 1 })).toThrow("keys");
  });
});

describe("is mounted in a few lines on", () => {
  const limiter = limiterOf();
  const left = valueHandler(limiter, {
    limit: "messages",
    key: (request: Request) => userOf(request.headers.get("cookie")),
  });

  test("Hono", async () => {
    const app = new Hono().get("/left", (c) => left(c.req.raw) as Promise<Response>);
    const response = await app.request("/left", cookie("ada"));
    expect(await response.json()).toMatchObject(ADA);
  });

  test("Express", async () => {
    const app = express().get("/left", async (request, response) => {
      const key = userOf(request.get("cookie"));
      if (key === undefined) return void response.sendStatus(401);
      response.set("Cache-Control", "no-store");
      response.json(await valueSnapshot(limiter, { limit: "messages", key }));
    });
    const running = await listening(createServer(app));
    const headers = { ...cookie("ada").headers, Connection: "close" };
    const response = await fetch(`http://127.0.0.1:${running.port}/left`, { headers });
    expect(await response.json()).toMatchObject(ADA);
    await running.close();
  });

  test("Fastify", async () => {
    const app = Fastify();
    app.get("/left", async (request, reply) => {
      const key = userOf(request.headers.cookie);
      if (key === undefined) return reply.code(401).send();
      reply.header("Cache-Control", "no-store");
      return valueSnapshot(limiter, { limit: "messages", key });
    });
    const { body } = await app.inject({ url: "/left", ...cookie("ada") });
    expect(JSON.parse(body)).toMatchObject(ADA);
  });
});
