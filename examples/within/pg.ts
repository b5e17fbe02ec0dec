/**
 * An order and its quota commit together or not at all: node-postgres.
 *
 * The client on which one has said BEGIN is passed on. Until the transaction ends, others who ask
 * for the same key wait: it had better be short.
 */
import { randomUUID } from "node:crypto";
import { Pool, type PoolClient } from "pg";
import { DAY, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { ORDERS, orderAll, urlGiven } from "./story.ts";

const limits = { createOrder: { kind: "token bucket", rate: 3, period: DAY } } as const;

export async function story(url: string): Promise<string[]> {
  const pool = new Pool({ connectionString: url });
  await migrate(pool);
  await pool.query(ORDERS);
  const limiter = new RateLimiter(limits, { store: postgresStore(pool) });
  const tenant = randomUUID();
  const order = (id: string) =>
    transaction(pool, async (client) => {
      await limiter.within(client).limit("createOrder", { key: tenant, throws: true });
      await client.query("insert into orders values ($1, $2)", [tenant, id]);
    });
  const left = async () => (await limiter.value("createOrder", { key: tenant })).remaining;
  const lines = await orderAll({ order, left });
  await pool.end();
  return lines;
}

async function transaction(pool: Pool, work: (client: PoolClient) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await work(client);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

if (import.meta.main) console.log((await story(urlGiven())).join("\n"));
