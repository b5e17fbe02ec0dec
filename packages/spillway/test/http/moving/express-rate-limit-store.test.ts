/** The real express-rate-limit with a store of this library. */
import express, { type Request } from "express";
import { type Options, rateLimit } from "express-rate-limit";
import { expect, test } from "vitest";
import { expressRateLimitStore } from "../../../src/http/moving/express-rate-limit-store/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { away } from "../../limiter/later.ts";
import { serving } from "../headers/servers.ts";
import { hitStoreTests, type Served } from "./hit-stores.ts";

const keyGenerator = (request: Request) => String(request.headers["x-user"]);

async function serve(options: Served & Partial<Options>) {
  const app = express().set("env", "production");
  app.use(rateLimit({ keyGenerator, standardHeaders: "draft-6", ...options }));
  app.get("/", (request, response) => {
    response.status(Number(request.headers["x-answer"] ?? 200)).end();
  });
  return app;
}

hitStoreTests({ store: (options) => expressRateLimitStore(options), serve });

test("admits while the store is away, where the middleware is told to", async () => {
  const store = expressRateLimitStore({ store: away(memoryStore()) });
  const logger = { error: () => {}, warn: () => {} };
  const app = await serve({ windowMs: 60_000, limit: 1, store, passOnStoreError: true, logger });
  const { status } = await serving(app, (url) => fetch(url, { headers: { "x-user": "ada" } }));
  expect(status).toBe(200);
});

test("gives the middleware's own functions what they need", async () => {
  const store = expressRateLimitStore();
  const limiter = rateLimit({ windowMs: 60_000, limit: 1, store, keyGenerator });
  await store.increment("ada");
  expect(await limiter.getKey("ada")).toMatchObject({ totalHits: 1, resetTime: expect.any(Date) });
  limiter.resetKey("ada");
  expect(await limiter.getKey("ada")).toBeUndefined();
});
