import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { conformance } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { dividedOver, overEach } from "../over-each.ts";
import { drivers, type Opened } from "./drivers.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Random runs in each place: others in each. */
const SEEDS = runs(6);

const places = Object.entries(drivers).map(([schema, open], index) => ({ schema, open, index }));

describe.each(places)("a postgres store over $schema", ({ schema, open, index }) => {
  let opened: Opened;

  beforeAll(async () => {
    opened = await open(server);
    await migrate(opened.pool, { schema, unlogged: true });
  });
  afterAll(() => opened.close());

  const cases = conformance(
    async (clock) => {
      await opened.script(
        `truncate "${schema}".budgets, "${schema}".entries, "${schema}".exceptions`,
      );
      return postgresStore(opened.pool, { schema, clock, deadline: 20_000 });
    },
    { seeds: SEEDS, firstSeed: SEEDS * index },
  );
  for (const { name, run } of overEach(cases, { part: index, parts: places.length }))
    test(name, run);
});

/**
 * Where a list has more than six numbers, all, or all but six, have rows of their own. An entry of a log
 * has two numbers and a lease three, of which whole ones stay.
 */
describe.each([
  [0, 0],
  [6, 1],
])("a postgres store whose lists are long from the start, %i numbers kept", (kept, part) => {
  const schema = `long_${kept}`;
  let pool: pg.Pool;
  let movedOut = 0;

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: server.url, max: 2 });
    await migrate(pool, { schema, unlogged: true });
    const bound = (name: string, numbers: number) =>
      `create or replace function ${schema}.v4_${name}() returns int language sql immutable
        as 'select ${numbers}'`;
    await pool.query(`${bound("most_numbers", 6)}; ${bound("numbers_kept", kept)}`);
  });
  afterAll(async () => {
    await pool.end();
    expect(movedOut).toBeGreaterThan(0);
  });

  const cases = conformance(
    async (clock) => {
      const { rows } = await pool.query(`select count(*)::int as entries from ${schema}.entries`);
      movedOut += rows[0].entries;
      await pool.query(`truncate ${schema}.budgets, ${schema}.entries, ${schema}.exceptions`);
      return postgresStore(pool, { schema, clock, deadline: 20_000 });
    },
    { seeds: SEEDS, firstSeed: SEEDS * kept },
  );
  const hasLists = /log|lease|concurrency|memory store/;
  const ownCases = dividedOver(cases, { part, parts: 2 });
  for (const { name, run } of ownCases) if (hasLists.test(name)) test(name, run);
});
