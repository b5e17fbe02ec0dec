/**
 * An order and its quota commit together or not at all: Drizzle, here over node-postgres.
 *
 * The store talks to the pool that is under Drizzle's database; its transactions are passed on.
 */
import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import { pgTable, text } from "drizzle-orm/pg-core";
import { Pool } from "pg";
import { DAY, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { ORDERS, orderAll, urlGiven } from "./story.ts";

const limits = { createOrder: { kind: "token bucket", rate: 3, period: DAY } } as const;
const orders = pgTable("orders", { tenant: text().notNull(), id: text().notNull() });

export async function story(url: string): Promise<string[]> {
  const pool = new Pool({ connectionString: url });
  const db = drizzle(pool);
  await migrate(pool);
  await db.execute(ORDERS);
  const limiter = new RateLimiter(limits, { store: postgresStore(pool) });
  const tenant = randomUUID();
  const order = (id: string) =>
    db.transaction(async (tx) => {
      await limiter.within(tx).limit("createOrder", { key: tenant, throws: true });
      await tx.insert(orders).values({ tenant, id });
    });
  const left = async () => (await limiter.value("createOrder", { key: tenant })).remaining;
  const lines = await orderAll({ order, left });
  await pool.end();
  return lines;
}

if (import.meta.main) console.log((await story(urlGiven())).join("\n"));
