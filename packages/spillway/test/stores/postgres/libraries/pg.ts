import { Pool } from "pg";
import { bySavepoint, type Open, type WorkWithin } from "./library.ts";

/** node-postgres, where one says BEGIN and COMMIT oneself. */
export const openPg: Open = async (url) => {
  const pool = new Pool({ connectionString: url });
  return {
    root: pool,
    database: pool,
    transact: (work) => transact(pool, work),
    [Symbol.asyncDispose]: () => pool.end(),
  };
};

async function transact(pool: Pool, work: WorkWithin): Promise<void> {
  const client = await pool.connect();
  const nested = bySavepoint((text) => client.query(text));
  try {
    await client.query("begin");
    await work(client, (inner) => nested(() => inner(client)));
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}
