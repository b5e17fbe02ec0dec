import { afterAll, beforeAll, describe, test } from "vitest";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { conformance } from "../../../src/testing/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { drivers, type Opened } from "./drivers.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

describe.each(Object.entries(drivers))("a postgres store over %s", (schema, open) => {
  let opened: Opened;

  beforeAll(async () => {
    opened = await open(server);
    await migrate(opened.pool, { schema, unlogged: true });
  }, 30_000);
  afterAll(() => opened.close());

  const cases = conformance(
    async (clock) => {
      await opened.script(`truncate "${schema}".budgets`);
      return postgresStore(opened.pool, { schema, clock, deadline: 20_000 });
    },
    { seeds: 40 },
  );
  for (const { name, run } of cases) test(name, run, 30_000);
});
