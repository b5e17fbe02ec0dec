/**
 * Sends the statements of pg-boss and of its queue through any connection of the Postgres store.
 */
import type { PostgresConnection } from "../../../stores/postgres/clients/index.ts";
import type { BossDb } from "./contracts.ts";
import { textStatement } from "./statement.ts";

// Names include their schema, because the caller's search path may contain other functions that
// match better.
const EPOCH = "extract(epoch from pg_catalog.clock_timestamp())";
const NOW = `select pg_catalog.floor(${EPOCH} operator(pg_catalog.*) 1000)::pg_catalog.text`;
const HASH = "pg_catalog.hashtextextended($1::pg_catalog.text, 0::pg_catalog.int8)";
const LOCK = `select pg_catalog.pg_advisory_xact_lock(${HASH})::pg_catalog.text`;

/** The caller of a transaction waits for each of its statements. */
const never = () => false;

export async function nowOf(connection: PostgresConnection): Promise<number> {
  return Number(await connection.run({ name: NOW, text: NOW, values: [] }, never));
}

/** Takes a lock until the transaction ends. Waits while another transaction has it. */
export async function lock(connection: PostgresConnection, name: string): Promise<void> {
  await connection.run({ name: LOCK, text: LOCK, values: [name] }, never);
}

/** Returns the `db` option of pg-boss for a connection. Values in rows have the types of JSON. */
export function bossDb(connection: PostgresConnection): BossDb {
  return {
    executeSql: async (text, values) => {
      const answer = await connection.run(textStatement(text, values), never);
      return { rows: JSON.parse(answer) };
    },
  };
}
