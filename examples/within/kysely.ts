/**
 * An order and its quota commit together or not at all: Kysely, here over node-postgres.
 *
 * The store talks to the pool that is under Kysely's dialect; its transactions are passed on.
 */
import { randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { DAY, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { ORDERS, orderAll, urlGiven } from "./story.ts";

const limits = { createOrder: { kind: "token bucket", rate: 3, period: DAY } } as const;

type Tables = { orders: { tenant: string; id: string } };

export async function story(url: string): Promise<string[]> {
  const pool = new Pool({ connectionString: url });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await migrate(pool);
  await sql.raw(ORDERS).execute(db);
  const limiter = new RateLimiter(limits, { store: postgresStore(pool) });
  const tenant = randomUUID();
  const order = (id: string) =>
    db.transaction().execute(async (tx) => {
      await limiter.within(tx).limit("createOrder", { key: tenant, throws: true });
      await tx.insertInto("orders").values({ tenant, id }).execute();
    });
  const left = async () => (await limiter.value("createOrder", { key: tenant })).remaining;
  const lines = await orderAll({ order, left });
  await db.destroy();
  return lines;
}

if (import.meta.main) console.log((await story(urlGiven())).join("\n"));
