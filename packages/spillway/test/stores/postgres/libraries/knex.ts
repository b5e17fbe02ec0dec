import knex from "knex";
import { Pool } from "pg";
import type { Open } from "./library.ts";

/** Knex, whose nested transactions are savepoints. It has a pool of its own. */
export const openKnex: Open = async (url) => {
  const root = knex({ client: "pg", connection: url });
  const pool = new Pool({ connectionString: url });
  return {
    root,
    database: pool,
    transact: (work) =>
      root.transaction((outer) => work(outer, (nested) => outer.transaction(nested))),
    async [Symbol.asyncDispose]() {
      await root.destroy();
      await pool.end();
    },
  };
};
