/** What happens while somebody else has all connections of a pool. */
import { Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../../src/limiter/index.ts";
import { type PostgresClient, postgresStore } from "../../../../src/stores/postgres/index.ts";
import type { PostgresServer } from "../../../servers/postgres/server.ts";
import { until } from "../../../servers/until.ts";
import { expectNoneIdle } from "./fault.ts";
import { migrated } from "./migrated.ts";

const CONNECTIONS = 3;
const CAPACITY = 100;
const LIMITS = {
  uploads: { kind: "token bucket", rate: 1, period: "366d", capacity: CAPACITY },
} as const;

type Borrowing = {
  readonly pool: PostgresClient;
  /** Takes a connection, and tells how to give it back. */
  readonly borrow: () => Promise<() => void>;
  readonly close: () => Promise<void>;
};

const drivers: Readonly<Record<string, (url: string) => Borrowing>> = {
  "node-postgres"(connectionString) {
    const pool = new Pool({ connectionString, max: CONNECTIONS });
    const borrow = async () => {
      const client = await pool.connect();
      return () => client.release();
    };
    return { pool, borrow, close: () => pool.end() };
  },
  "postgres.js"(url) {
    const sql = postgres(url, { max: CONNECTIONS });
    const borrow = async () => {
      const reserved = await sql.reserve();
      return () => reserved.release();
    };
    return { pool: sql, borrow, close: () => sql.end() };
  },
};

let server: PostgresServer;

beforeAll(async () => {
  server = await migrated();
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(Object.entries(drivers))("somebody has all connections of %s", (driver, open) => {
  test("asks are answered without them, and never sent late", async () => {
    const { pool, borrow, close } = open(server.url);
    const events: string[] = [];
    // What is late is charged all the same: the deadline is far more than an answer takes.
    const patient = { deadline: 2000, breaker: { failures: 1 } };
    const store = postgresStore(pool, { ...patient, onEvent: ({ type }) => events.push(type) });
    const limiter = new RateLimiter(LIMITS, { store });
    const ask = () => limiter.limit("uploads", { key: driver });
    const borrowAll = () => Promise.all(Array.from({ length: CONNECTIONS }, borrow));
    const giveBack = await borrowAll();
    for (let asked = 0; asked < 20; asked++) {
      expect(await ask()).toMatchObject({ ok: false, reason: "unavailable", degraded: true });
    }
    expect(events).toContain("paused");
    for (const give of giveBack) give();
    await until(async () => (await ask()).ok, { what: "it is asked again" });
    const { remaining } = await limiter.value("uploads", { key: driver });
    expect(remaining).toBe(CAPACITY - 1);
    await expectNoneIdle(server);
    // Each of them can be had again.
    for (const give of await borrowAll()) give();
    await close();
  });
});
