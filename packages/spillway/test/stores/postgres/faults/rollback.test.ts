/** What a transaction takes is taken when it is committed, and only then: to the unit. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../../src/limiter/index.ts";
import { postgresStore } from "../../../../src/stores/postgres/index.ts";
import { seededRandom } from "../../../../src/testing/index.ts";
import { query } from "../../../servers/postgres/query.ts";
import type { PostgresServer } from "../../../servers/postgres/server.ts";
import type { Library } from "../libraries/library.ts";
import { openPg } from "../libraries/pg.ts";
import { openPostgresJs } from "../libraries/postgres-js.ts";
import { Customer, LIMITS, NAMES, TABLE } from "./customer.ts";
import { ISOLATIONS, isolated } from "./isolation.ts";
import { migrated } from "./migrated.ts";

/** Customers at a time over each driver, and how often each of them buys. */
const CUSTOMERS = 3;
const PURCHASES = 4;

let server: PostgresServer;

beforeAll(async () => {
  // Who finds a deadlock is not to wait a second for it.
  server = await migrated({ settings: { deadlock_timeout: "20ms" } });
  await query(server, TABLE);
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(ISOLATIONS)("transactions, rolled back whole or in part, %s", (isolation) => {
  test("limits and rows agree to the unit", async () => {
    await using used = new AsyncDisposableStack();
    const buying = [openPg, openPostgresJs].map(async (open, at) => {
      const library = used.use(await open(isolated(server.url, isolation)));
      const limiter = limiterOn(library);
      const customers = Array.from({ length: CUSTOMERS }, (_, n) => {
        const random = seededRandom(CUSTOMERS * at + n);
        return new Customer({ library, limiter, key: isolation, random });
      });
      await Promise.all(customers.map((customer) => customer.buy(PURCHASES)));
    });
    await Promise.all(buying);
    const limiter = limiterOn(used.use(await openPg(server.url)));
    const noted = await unitsNoted(isolation);
    for (const name of NAMES) {
      const { capacity, remaining } = await limiter.value(name, { key: isolation });
      expect({ name, taken: capacity - remaining }).toEqual({ name, taken: noted.get(name) });
    }
  });
});

function limiterOn({ database }: Library) {
  return new RateLimiter(LIMITS, { store: postgresStore(database, { deadline: 10_000 }) });
}

/** Units that are written down, by the limit that they were taken from. */
async function unitsNoted(key: string): Promise<ReadonlyMap<string, number>> {
  const text = "select name, sum(units)::int as units from taken where key = $1 group by name";
  const rows = await query<{ name: string; units: number }>(server, text, [key]);
  return new Map(rows.map(({ name, units }) => [name, units]));
}
