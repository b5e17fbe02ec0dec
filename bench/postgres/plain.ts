/** What asking Postgres for nothing costs. */
import type { PostgresContender } from "./contender.ts";
import { inTransaction } from "./spillway.ts";

const NOTHING = { name: "nothing", text: "select 1" };

/** A prepared statement that does nothing. */
export const selectOne: PostgresContender = {
  name: "select 1",
  open: async (pool) => () => pool.query(NOTHING),
  admits: () => true,
};

/** The same between a begin and a commit. */
export const selectOneInTx: PostgresContender = {
  name: "begin, select 1, commit",
  open: async (pool) => () => inTransaction(pool, (client) => client.query(NOTHING)),
  admits: () => true,
};
