/** What sends the statements of pg-boss and of its queue: a pool, or a transaction. */
import { SpillwayError } from "../../core/index.ts";
import type { BossDb, PgPool, PgPoolClient } from "./pg-boss-contracts.ts";

const NOW = "select floor(extract(epoch from clock_timestamp()) * 1000)::text as now";

const ignore = () => {};

/** Does it in a transaction of its own, which is rolled back where it rejects. */
export async function inTransaction<T>(pool: PgPool, work: (db: BossDb) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  // Nobody else listens to a client that is lent, and an error unheard ends the process. Its queries reject.
  client.on("error", ignore);
  try {
    await client.query("begin");
    try {
      const result = await work(clientDb(client));
      await client.query("commit");
      isBroken = false;
      return result;
    } catch (error) {
      await client.query("rollback");
      isBroken = false;
      throw error;
    }
  } finally {
    client.removeListener("error", ignore);
    client.release(isBroken);
  }
}

export async function nowOf(db: BossDb): Promise<number> {
  const { rows } = await db.executeSql(NOW, []);
  return Number((rows[0] as { readonly now: string }).now);
}

export function poolDb(pool: PgPool): BossDb {
  return { executeSql: (text, values) => pool.query(text, values) };
}

function clientDb(client: Pick<PgPoolClient, "query">): BossDb {
  return { executeSql: (text, values) => client.query(text, values) };
}

/** A transaction of node-postgres, or anything that has `executeSql`. @throws SpillwayError `bad-transaction` */
export function dbOf(transaction: object): BossDb {
  const { executeSql, query } = transaction as Partial<BossDb & PgPoolClient>;
  if (typeof executeSql === "function") return transaction as BossDb;
  if (typeof query === "function") return clientDb(transaction as PgPoolClient);
  throw new SpillwayError({
    code: "bad-transaction",
    field: "transaction",
    value: transaction,
    expected: "a client of node-postgres in a transaction",
    hint: "With another library, take the units, send the job and write your rows yourself",
  });
}
