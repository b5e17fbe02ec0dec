/** What real processes hold at once never exceeds the capacity, whatever becomes of some of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Concurrency } from "../../../src/limits/core/index.ts";
import { migrate } from "../../../src/stores/postgres/index.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { letMeet, mostInFlight, startHolders } from "./holders.ts";
import { open, type Place } from "./places.ts";

const CAPACITY = 3;

/** What has to be stopped at the end. */
const stack = new AsyncDisposableStack();
const places = new Map<Place["store"], Place>();

beforeAll(async () => {
  const redis = stack.use(await startRedis());
  places.set("redis", { store: "redis", at: `${redis.port}` });
  const postgres = stack.use(await startPostgres());
  places.set("postgres", { store: "postgres", at: postgres.url });
  const pool = new pg.Pool({ connectionString: postgres.url });
  await migrate(pool);
  await pool.end();
  const folder = mkdtempSync(join(tmpdir(), "spillway-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  places.set("sqlite", { store: "sqlite", at: join(folder, "leases.db") });
});

afterAll(() => stack.disposeAsync());

/** Milliseconds. */
const [TTL, SHARE] = [3000, 400];

describe.each(["redis", "postgres", "sqlite"] as const)("on %s", (store) => {
  const errand = (limit: Concurrency, times: number) => ({
    place: places.get(store) as Place,
    limit,
    atOnce: 4,
    times,
  });

  test("no more is in flight than there may be, and all get their turn", async () => {
    const limit = { kind: "concurrency", capacity: CAPACITY, ttl: "5m" } as const;
    const each = { ...errand(limit, 15), meets: true };
    const holders = await startHolders(Array.from({ length: CAPACITY }, () => each));
    await letMeet(holders);
    await Promise.all(holders.map((holder) => holder.done()));
    const flights = holders.flatMap((holder) => holder.flights);
    expect(flights).toHaveLength(CAPACITY * (1 + 4 * 15));
    expect(mostInFlight(flights)).toBe(CAPACITY);
  });

  test("who has much to do does not keep those waiting who have little", async () => {
    const limit = { kind: "concurrency", capacity: 2, ttl: "5m" } as const;
    const [busy, ...others] = await startHolders([
      errand(limit, 100_000),
      errand(limit, 3),
      errand(limit, 3),
    ]);
    await Promise.all(others.map((holder) => holder.done()));
    expect(others.map(({ flights }) => flights.length)).toEqual([12, 12]);
    await busy?.killAfter(1);
  });

  test("what a process held that was killed comes back when its time is over", async () => {
    const limit = { kind: "concurrency", capacity: CAPACITY, ttl: 4000 } as const;
    const [victim, ...survivors] = await startHolders([
      errand(limit, 100_000),
      errand(limit, 10),
      errand(limit, 10),
    ]);
    await victim?.killAfter(5);
    await Promise.all(survivors.map((holder) => holder.done()));
    const flights = survivors.flatMap((holder) => holder.flights);
    expect(flights).toHaveLength(2 * 4 * 10);
    expect(mostInFlight([...flights, ...(victim?.flights ?? [])])).toBeLessThanOrEqual(CAPACITY);
  });
});

test("processes that keep places on redis are never over, and those of one that was killed come back", async () => {
  const place = places.get("redis") as Place;
  const limit = { kind: "concurrency", capacity: 8, ttl: TTL, share: SHARE } as const;
  const each = { place, limit, atOnce: 4, times: 150 };
  const [victim, ...others] = await startHolders([{ ...each, times: 1e6 }, each, each]);
  await victim?.killAfter(200);
  await Promise.all(others.map((holder) => holder.done()));
  const flights = others.flatMap((holder) => holder.flights);
  expect(flights).toHaveLength(2 * 4 * 150);
  expect(mostInFlight([...flights, ...(victim?.flights ?? [])])).toBeLessThanOrEqual(8);
  const { store, close } = open(place);
  const limiter = new RateLimiter({ reports: limit }, { store });
  const last = await limiter.acquire("reports", { key: "all", count: 8, wait: "1m" });
  expect(last).toMatchObject({ ok: true, degraded: undefined });
  await limiter.giveBack();
  await last.release();
  await close();
});

test("an overlap is counted by what it holds", () => {
  const flight = (from: number, to: number, count: number) => ({
    from: BigInt(from),
    to: BigInt(to),
    count,
  });
  expect(mostInFlight([flight(0, 5, 1), flight(5, 9, 2), flight(6, 7, 2)])).toBe(4);
});
