/** Leases of transactions, and which connections are used for them: of the store's own pool, of another one, of none. */
import { setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { PgLite } from "../../../src/stores/postgres/clients/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { query } from "../../servers/postgres/query.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { openDrizzleLite } from "./libraries/drizzle.ts";
import { openPostgresJs } from "./libraries/postgres-js.ts";

const LIMITS = { jobs: { kind: "concurrency", capacity: 5, ttl: "1h" } } as const;

let server: PostgresServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres();
});
beforeEach(async () => {
  pool = new pg.Pool({ connectionString: server.url, max: 1 });
  await migrate(pool);
});
afterEach(async () => {
  if (!pool.ended) await pool.end();
});
afterAll(() => server[Symbol.asyncDispose]());

const limiterWith = (deadline: number) =>
  new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline }) });

test("on a connection of that pool they need no other one", async () => {
  const client = await pool.connect();
  await client.query("begin");
  const lease = await limiterWith(60_000).within(client).acquire("jobs");
  const answers = [lease.renew(), lease.release()];
  await turn();
  expect(pool.waitingCount).toBe(0);
  expect(await Promise.all(answers)).toEqual([true, true]);
  await client.query("commit");
  client.release();
});

test.each([
  ["itself", (client: pg.Client): object => client],
  ["by what TypeORM's query runners have", queryRunner],
])("on a client of no pool nothing is sent into its next transaction: %s", async (_, shown) => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query("begin");
  const lease = await limiterWith(60_000).within(shown(client)).acquire("jobs");
  await client.query("commit");
  await client.query("begin");
  const { query } = client;
  let sent = 0;
  const counted = (...all: Parameters<typeof query>) => {
    sent++;
    return query.apply(client, all);
  };
  Object.assign(client, { query: counted });
  expect([await lease.renew(), await lease.release(), sent]).toEqual([true, true, 0]);
  await client.end();
});

function queryRunner(client: pg.Client): object {
  const query = (text: string, values: string[]) => client.query(text, values);
  return { query, isTransactionActive: true };
}

/** With postgres.js the store asks whether a transaction is over. */
test.each([
  ["is lent", () => pool.connect()],
  ["is closed", () => pool.end()],
])(
  "where nobody answers whether it is over, they are asked for inside: the pool %s",
  async (_, use) => {
    await using library = await openPostgresJs(server.url);
    const used = await use();
    await library.transact(async (transaction) => {
      const lease = await limiterWith(20).within(transaction).acquire("jobs");
      expect(await lease.renew()).toBe(true);
      expect(await lease.release()).toBe(true);
    });
    const [row] = await query(server, "select used from spillway.budgets");
    expect(row).toEqual({ used: 0 });
    used?.release();
    if (!pool.ended) await pool.end();
  },
);

test("where there is one connection alone, nothing is asked on it outside of the transaction", async () => {
  await using library = await openDrizzleLite(server.url);
  const database = library.database as PgLite;
  await migrate(database);
  const limiter = new RateLimiter(LIMITS, { store: postgresStore(database, { deadline: 1000 }) });
  let asked = 0;
  await library.transact(async (transaction) => {
    const lease = await limiter.within(transaction).acquire("jobs");
    const begin = database.transaction.bind(database);
    database.transaction = (use) => {
      asked++;
      return begin(use);
    };
    expect(await lease.renew()).toBe(true);
    expect(await lease.release()).toBe(true);
  });
  expect(asked).toBe(0);
});
