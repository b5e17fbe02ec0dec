/** What a key takes in each store, by kind: keys of one unit each. */
import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RateLimiterPostgres, RateLimiterRedis } from "rate-limiter-flexible";
import { DAY, type Limit, RateLimiter, type Store, type Timing } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { redisStore } from "spillway/redis";
import { sqliteStore } from "spillway/sqlite";
import { makeKeys } from "../keys.ts";
import { Server as PostgresServer } from "../postgres/server.ts";
import { Server as RedisServer } from "../redis/server.ts";
import type { Group, Progress } from "../suites/suite.ts";
import type { Part } from "./part.ts";

const KEYS = makeKeys(20_000);
/** Calls that are under way at once. */
const AT_ONCE = 200;
const PEER = "rate-limiter-flexible";
const POINTS = { points: 10, duration: DAY / 1000 };
/** Those with states of different shapes. */
const LIMITS = {
  "token bucket": { kind: "token bucket", rate: 10, period: DAY },
  "sliding log of one entry": { kind: "sliding log", rate: 10, period: DAY },
  "concurrency, one lease": { kind: "concurrency", capacity: 10, ttl: DAY },
} as const satisfies Readonly<Record<string, Limit>>;

export const sizes: Part = {
  name: "bytes a key",
  measure: async (progress) => [
    await onRedis(progress),
    await onPostgres(progress),
    await onSqlite(progress),
  ],
};

type Row = { readonly name: string; readonly bytes: number };

function group(title: string, sizes: readonly Row[], progress: Progress): Group {
  const rows = sizes.map(({ name, bytes }) => {
    return { name, value: Math.round(bytes / KEYS.length), unit: "bytes a key" };
  });
  progress(`${title}: ${rows.map(({ name, value }) => `${name} ${value}`).join(", ")}`);
  return { title, rows };
}

/** Takes one unit of each key. */
async function fill(store: Store<Timing>, limit: Limit): Promise<void> {
  const limiter = new RateLimiter({ it: limit } as { it: Limit }, { store, warn: () => {} });
  await ofEach((key) =>
    limit.kind === "concurrency"
      ? limiter.limitAll([{ limit: "it", key }])
      : limiter.limit("it", { key, config: limit }),
  );
}

async function ofEach(call: (key: string) => unknown): Promise<void> {
  for (let first = 0; first < KEYS.length; first += AT_ONCE) {
    await Promise.all(KEYS.slice(first, first + AT_ONCE).map(call));
  }
}

async function onRedis(progress: Progress): Promise<Group> {
  await using server = await RedisServer.start();
  const client = server.connect();
  const sized = async (name: string, use: () => Promise<unknown>): Promise<Row> => {
    await client.flushall();
    const before = await server.memory();
    await use();
    return { name, bytes: (await server.memory()) - before };
  };
  const store = redisStore(client, { deadline: 60_000 });
  // Scripts and buffers are there before anything is weighed.
  for (const limit of Object.values(LIMITS)) await fill(store, limit);
  const rows: Row[] = [];
  for (const [name, limit] of Object.entries(LIMITS)) {
    rows.push(await sized(name, () => fill(store, limit)));
  }
  const peer = new RateLimiterRedis({ storeClient: client, ...POINTS });
  rows.push(await sized(PEER, () => ofEach((key) => peer.consume(key))));
  return group(`bytes a key, Redis ${await server.version()}`, rows, progress);
}

async function onPostgres(progress: Progress): Promise<Group> {
  await using server = await PostgresServer.start();
  const pool = server.connect();
  await migrate(pool, { unlogged: true });
  const sizeOf = async (tables: readonly string[]) => {
    const sizes = tables.map((table) => `pg_total_relation_size('${table}')`);
    const { rows } = await pool.query(`select ${sizes.join(" + ")} as bytes`);
    return Number(rows[0].bytes);
  };
  const rows: Row[] = [];
  for (const [name, limit] of Object.entries(LIMITS)) {
    await pool.query("truncate spillway.budgets, spillway.entries");
    await fill(postgresStore(pool, { deadline: 60_000 }), limit);
    rows.push({ name, bytes: await sizeOf(["spillway.budgets", "spillway.entries"]) });
  }
  await pool.query(
    "create unlogged table peer (key varchar(255) primary key, points int default 0, expire bigint)",
  );
  const settings = { storeClient: pool, tableName: "peer", tableCreated: true, ...POINTS };
  const peer = new RateLimiterPostgres(settings);
  await ofEach((key) => peer.consume(key));
  rows.push({ name: PEER, bytes: await sizeOf(["peer"]) });
  return group(`bytes a key, Postgres ${await server.version()}`, rows, progress);
}

async function onSqlite(progress: Progress): Promise<Group> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "spillway-bench-"));
  const rows: Row[] = [];
  for (const [name, limit] of Object.entries(LIMITS)) {
    const path = join(folder.path, `${limit.kind}.db`);
    const database = new DatabaseSync(path);
    await fill(sqliteStore(database), limit);
    rows.push({ name, bytes: await fileSize(database, path) });
  }
  const path = join(folder.path, "bare.db");
  const database = new DatabaseSync(path);
  database.exec(
    "create table bare (id text primary key, used real, since real) without rowid; begin",
  );
  const insert = database.prepare("insert into bare values (?, 3.6e6, 1.7e12)");
  for (const key of KEYS) insert.run(key);
  database.exec("commit");
  rows.push({ name: "a bare table of two numbers", bytes: await fileSize(database, path) });
  return group("bytes a key, SQLite", rows, progress);
}

/** Once the write-ahead log is in the file. */
async function fileSize(database: DatabaseSync, path: string): Promise<number> {
  database.exec("pragma wal_checkpoint(truncate)");
  return (await stat(path)).size;
}
