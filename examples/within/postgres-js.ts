/**
 * An order and its quota commit together or not at all: postgres.js.
 *
 * What `sql.begin` hands to its callback is passed on, or what `savepoint` does: going back to that
 * gives back what was taken since.
 */
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { DAY, RateLimiter } from "spillway";
import { migrate, postgresStore } from "spillway/postgres";
import { ORDERS, orderAll, urlGiven } from "./story.ts";

const limits = { createOrder: { kind: "token bucket", rate: 3, period: DAY } } as const;

export async function story(url: string): Promise<string[]> {
  const sql = postgres(url, { onnotice() {} });
  await migrate(sql);
  await sql.unsafe(ORDERS);
  const limiter = new RateLimiter(limits, { store: postgresStore(sql) });
  const tenant = randomUUID();
  const order = (id: string) =>
    sql.begin(async (tx) => {
      await limiter.within(tx).limit("createOrder", { key: tenant, throws: true });
      await tx`insert into orders values (${tenant}, ${id})`;
    });
  const left = async () => (await limiter.value("createOrder", { key: tenant })).remaining;
  const lines = await orderAll({ order, left });
  await sql.end();
  return lines;
}

if (import.meta.main) console.log((await story(urlGiven())).join("\n"));
