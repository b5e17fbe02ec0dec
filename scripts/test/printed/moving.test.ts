/** What the pages on moving print, before and after, run as it is printed: each allows five, not six. */
import "reflect-metadata";
import type { RequestListener } from "node:http";
import { Controller, Get, Module } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { ThrottlerGuard } from "@nestjs/throttler";
import type { Express } from "express";
import type { FastifyInstance } from "fastify";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startRedis } from "../../../packages/spillway/test/servers/redis-node.ts";
import { withModule } from "./printed.ts";
import { serving } from "./serving.ts";
import { overHttp } from "./upstash.ts";

/** Which of a page's programs. */
const PROGRAMS = [
  ["before", 0],
  ["after", 1],
] as const;

/** What a sliding window makes wait at most: its end, and then a fifth of the next until one of five has gone. */
const SLIDING = 72;

/** Asks six times: five pass, and the sixth is refused with a time to come back, in seconds. */
async function expectFive(ask: () => Promise<Response>, most = 60): Promise<void> {
  for (let left = 5; left > 0; left--) expect((await ask()).status).toBe(200);
  const refused = await ask();
  const seconds = Number(refused.headers.get("retry-after"));
  expect([refused.status, seconds >= 1, seconds <= most]).toEqual([429, true, true]);
}

const expectFiveOf = (app: RequestListener, path: string) =>
  serving(app, (url) => expectFive(() => fetch(new URL(path, url))));

test("after, @nestjs/throttler without the package", async () => {
  const use = async ({ throttling }: { throttling: never }) =>
    expectFiveOf(await nestWith(throttling, []), "/");
  await withModule("docs/moving/nestjs-throttler.md", use, 2);
});

describe.each(PROGRAMS)("%s", (_, index) => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("express-rate-limit", async () => {
    const use = ({ app }: { app: Express }) => expectFiveOf(app, "/api/search");
    await withModule("docs/moving/express-rate-limit.md", use, index);
  });

  test("@fastify/rate-limit", async () => {
    const use = async ({ app }: { app: FastifyInstance }) => {
      await app.ready();
      await expectFiveOf((request, response) => app.routing(request, response), "/search");
    };
    await withModule("docs/moving/fastify-rate-limit.md", use, index);
  });

  test("@nestjs/throttler", async () => {
    const use = async ({ throttling }: { throttling: never }) =>
      expectFiveOf(await nestWith(throttling), "/");
    await withModule("docs/moving/nestjs-throttler.md", use, index);
  });

  test("rate-limiter-flexible", async () => {
    type Page = { send(user: string): number | Promise<number> };
    const use = async ({ send }: Page) => {
      const waits = [];
      for (let left = 6; left > 0; left--) waits.push(await send("ada"));
      expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
      expect(waits[5]).toBeGreaterThan(0);
      expect(waits[5]).toBeLessThanOrEqual(60_000);
    };
    await withModule("docs/moving/rate-limiter-flexible.md", use, index);
  });

  test("@upstash/ratelimit", async () => {
    await using server = await startRedis();
    const redis = new Redis(server.url);
    const request = () => new Request("http://shop.example", { headers: { "x-user": "ada" } });
    const use = ({ POST }: { POST: (request: Request) => Promise<Response> }) =>
      expectFive(() => POST(request()), SLIDING);
    await overHttp(redis, (url) => {
      vi.stubEnv("UPSTASH_URL", url);
      vi.stubEnv("UPSTASH_TOKEN", "any");
      vi.stubEnv("REDIS_URL", server.url);
      return withModule("docs/moving/upstash-ratelimit.md", use, index);
    });
    redis.disconnect();
  });
});

/** What the package's documentation adds to its module. */
const THROTTLER = [{ provide: APP_GUARD, useClass: ThrottlerGuard }];

/** An application with one route, and guards for all. */
async function nestWith(throttling: never, providers = THROTTLER): Promise<RequestListener> {
  class Route {
    answer() {
      return "";
    }
  }
  Controller()(Route);
  const { prototype } = Route;
  Get()(prototype, "answer", Object.getOwnPropertyDescriptor(prototype, "answer") as never);
  class App {}
  Module({ imports: [throttling], controllers: [Route], providers })(App);
  const app = await NestFactory.create(App, { logger: false });
  await app.init();
  return app.getHttpAdapter().getInstance();
}
