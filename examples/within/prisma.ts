/**
 * An order and its quota commit together or not at all: Prisma, over its adapter for node-postgres.
 *
 * The store and the adapter share a pool. What `$transaction` hands to its callback is passed on; a
 * `$transaction` of an array of queries has nothing that could be.
 */
import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { DAY, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { PrismaClient } from "./fixtures/prisma/client/client.ts";
import { ORDERS, orderAll, urlGiven } from "./story.ts";

const limits = { createOrder: { kind: "token bucket", rate: 3, period: DAY } } as const;

export async function story(url: string): Promise<string[]> {
  const pool = new Pool({ connectionString: url });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  await migrate(pool);
  await pool.query(ORDERS);
  const limiter = new RateLimiter(limits, { store: postgresStore(pool) });
  const tenant = randomUUID();
  const order = (id: string) =>
    prisma.$transaction(async (tx) => {
      await limiter.within(tx).limit("createOrder", { key: tenant, throws: true });
      await tx.order.create({ data: { tenant, id } });
    });
  const left = async () => (await limiter.value("createOrder", { key: tenant })).remaining;
  const lines = await orderAll({ order, left });
  await prisma.$disconnect();
  await pool.end();
  return lines;
}

if (import.meta.main) console.log((await story(urlGiven())).join("\n"));
