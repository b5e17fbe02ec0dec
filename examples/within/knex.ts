/**
 * An order and its quota commit together or not at all: Knex.
 *
 * Knex has a pool of its own, which the store can't share: it gets a small one, for what is asked
 * outside of transactions. Transactions are passed on, and those of Objection are the same.
 */
import { randomUUID } from "node:crypto";
import knex from "knex";
import { Pool } from "pg";
import { DAY, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { ORDERS, orderAll, urlGiven } from "./story.ts";

const limits = { createOrder: { kind: "token bucket", rate: 3, period: DAY } } as const;

export async function story(url: string): Promise<string[]> {
  const db = knex({ client: "pg", connection: url });
  const pool = new Pool({ connectionString: url, max: 2 });
  await migrate(pool);
  await db.raw(ORDERS);
  const limiter = new RateLimiter(limits, { store: postgresStore(pool) });
  const tenant = randomUUID();
  const order = (id: string) =>
    db.transaction(async (tx) => {
      await limiter.within(tx).limit("createOrder", { key: tenant, throws: true });
      await tx("orders").insert({ tenant, id });
    });
  const left = async () => (await limiter.value("createOrder", { key: tenant })).remaining;
  const lines = await orderAll({ order, left });
  await Promise.all([db.destroy(), pool.end()]);
  return lines;
}

if (import.meta.main) console.log((await story(urlGiven())).join("\n"));
