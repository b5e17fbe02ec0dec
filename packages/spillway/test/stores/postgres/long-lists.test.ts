/** Lists of ten thousand entries: answered as a memory store does, and moved out of the row. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { compareLongLists } from "../long-lists.ts";

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
  await migrate(pool, { unlogged: true });
});
beforeEach(() => pool.query("truncate spillway.budgets, spillway.entries, spillway.exceptions"));
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

const count = async (what: string) =>
  (await pool.query(`select count(*)::int as rows from spillway.${what}`)).rows[0].rows;

test.each([
  [1, 10_000],
  [2, 500],
  [3, 500],
])(
  "answers as a memory store does, and leaves nothing, seed %i, %i entries",
  async (seed, entries) => {
    const clock = manualClock();
    const store = postgresStore(pool, { clock, deadline: 60_000 });
    const whenFilled = async () => expect(await count("entries")).toBeGreaterThan(entries);
    await compareLongLists({ store, clock, seed, entries, whenFilled });
    await pool.query("select spillway.v4_sweep('', 1000, $1)", [clock() + 86_400_000]);
    expect([await count("budgets"), await count("entries")]).toEqual([0, 0]);
  },
  240_000,
);
