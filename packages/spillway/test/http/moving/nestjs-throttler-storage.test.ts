/** The real @nestjs/throttler with a storage of this library, over real sockets. */
import "reflect-metadata";
import type { RequestListener } from "node:http";
import { Controller, Get, Module } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { ThrottlerGuard, ThrottlerModule, type ThrottlerOptions } from "@nestjs/throttler";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nestThrottlerStorage } from "../../../src/http/moving/nestjs-throttler-storage/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { away } from "../../limiter/later.ts";
import { serving } from "../headers/servers.ts";
import { pipelined } from "./pipelined.ts";
import { PLACES, type Place } from "./places.ts";

type Storage = ReturnType<typeof nestThrottlerStorage>;

/** A Nest application with one route and the guard of the package; keys are the header `x-user`. */
async function serve(
  storage: Storage,
  ...throttlers: ThrottlerOptions[]
): Promise<RequestListener> {
  class Route {
    answer() {
      return "";
    }
  }
  Controller()(Route);
  const { prototype } = Route;
  Get()(prototype, "answer", Object.getOwnPropertyDescriptor(prototype, "answer") as never);
  class App {}
  const getTracker = (request: { headers: Record<string, string> }) => request.headers["x-user"];
  Module({
    imports: [ThrottlerModule.forRoot({ throttlers, storage, getTracker } as never)],
    controllers: [Route],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })(App);
  const app = await NestFactory.create(App, { logger: false });
  await app.init();
  return app.getHttpAdapter().getInstance();
}

async function ask(url: string, user = "ada") {
  const { status, headers } = await fetch(url, { headers: { "x-user": user } });
  return { status, left: headers.get("x-ratelimit-remaining"), wait: headers.get("retry-after") };
}

const MINUTE = 60_000;

describe.each(Object.entries(PLACES))("on %s", (_, open) => {
  let place: Place;
  let storages = 0;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  function fresh(
    clock = manualClock(),
    options: Parameters<typeof nestThrottlerStorage<never>>[0] = {},
  ) {
    const store = place.store(clock) as never;
    return nestThrottlerStorage({ store, name: `test-${storages++}`, ...options });
  }

  test("admits one of two pipelined requests against a limit of 1", async () => {
    const app = await serve(fresh(), { ttl: MINUTE, limit: 1 });
    const statuses = await serving(app, (url) => pipelined(url, ["ada", "ada"]));
    expect(statuses.toSorted()).toEqual([200, 429]);
  });

  test("admits as many of 50 parallel requests as the limit, of each user", async () => {
    const app = await serve(fresh(), { ttl: MINUTE, limit: 10 });
    await serving(app, async (url) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(url)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(await ask(url, "ben")).toEqual({ status: 200, left: "9", wait: null });
    });
  });

  test("blocks for as long as it is told, and begins anew after that", async () => {
    const clock = manualClock();
    const throttler = { ttl: MINUTE, limit: 2, blockDuration: 5 * MINUTE };
    await serving(await serve(fresh(clock), throttler), async (url) => {
      await ask(url);
      await ask(url);
      expect(await ask(url)).toMatchObject({ status: 429, wait: "300" });
      clock.advance(5 * MINUTE - 1);
      expect(await ask(url)).toMatchObject({ status: 429, wait: "1" });
      clock.advance(1);
      expect(await ask(url)).toMatchObject({ status: 200, left: "1" });
    });
  });

  test("blocks for no longer than told, where that is less than the ttl", async () => {
    const clock = manualClock();
    const throttler = { ttl: MINUTE, limit: 1, blockDuration: 1000 };
    await serving(await serve(fresh(clock), throttler), async (url) => {
      await ask(url);
      expect(await ask(url)).toMatchObject({ status: 429, wait: "1" });
      clock.advance(1000);
      expect((await ask(url)).status).toBe(200);
    });
  });

  test("waits for the first hit to be over where nothing is blocked", async () => {
    const clock = manualClock();
    const throttler = { ttl: MINUTE, limit: 2, blockDuration: 0 };
    await serving(await serve(fresh(clock), throttler), async (url) => {
      await ask(url);
      clock.advance(MINUTE / 2);
      await ask(url);
      expect(await ask(url)).toMatchObject({ status: 429, wait: "30" });
      clock.advance(MINUTE / 2);
      expect(await ask(url)).toMatchObject({ status: 200, left: "0" });
      expect((await ask(url)).status).toBe(429);
    });
  });

  test("counts throttlers apart, and other kinds as they count", async () => {
    const throttlers = [
      { name: "short", ttl: 1000, limit: 1 },
      { name: "long", ttl: MINUTE, limit: 3 },
    ];
    const clock = manualClock();
    const storage = fresh(clock, { kind: "token bucket" });
    await serving(await serve(storage, ...throttlers), async (url) => {
      const statuses = [];
      for (const wait of [0, 1000, 1000, 1000]) {
        clock.advance(wait);
        statuses.push((await ask(url)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
    });
  });

  test("refuses everything at a limit of 0, and says so without an endless wait", async () => {
    const app = await serve(fresh(), { ttl: MINUTE, limit: 0, blockDuration: 0 });
    expect(await serving(app, ask)).toMatchObject({ status: 429, wait: "60" });
  });
});

test("answers 503 while its store is away", async () => {
  const storage = nestThrottlerStorage({ store: away(memoryStore()) });
  const app = await serve(storage, { ttl: MINUTE, limit: 1 });
  expect((await serving(app, ask)).status).toBe(503);
});

test("keeps hits in a memory store of its own", async () => {
  const storage = nestThrottlerStorage();
  const hit = () => storage.increment("ada", MINUTE, 2, MINUTE, "default");
  const records = [await hit(), await hit(), await hit()];
  expect(records.map(({ totalHits }) => totalHits)).toEqual([1, 2, 3]);
  expect(records.map(({ isBlocked }) => isBlocked)).toEqual([false, false, true]);
  expect(records.map(({ timeToBlockExpire }) => timeToBlockExpire)).toEqual([0, 0, 60]);
});

test("says which options there are", () => {
  expect(() => nestThrottlerStorage({ sotre: 1 } as never)).toThrow("Did you mean store?");
});
