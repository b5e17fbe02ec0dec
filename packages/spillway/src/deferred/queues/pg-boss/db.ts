/** What sends the statements of pg-boss and of its queue: any connection that the Postgres store has, too. */
import type { PostgresConnection } from "../../../stores/postgres/clients/index.ts";
import type { BossDb } from "./contracts.ts";
import { textStatement } from "./statement.ts";

// With the schema of each name: the search path is the caller's, and may lead to functions of strangers that fit better.
const EPOCH = "extract(epoch from pg_catalog.clock_timestamp())";
const NOW = `select pg_catalog.floor(${EPOCH} operator(pg_catalog.*) 1000)::pg_catalog.text`;
const HASH = "pg_catalog.hashtextextended($1::pg_catalog.text, 0::pg_catalog.int8)";
const LOCK = `select pg_catalog.pg_advisory_xact_lock(${HASH})::pg_catalog.text`;

/** Whoever has begun a transaction waits for it. */
const never = () => false;

export async function nowOf(connection: PostgresConnection): Promise<number> {
  return Number(await connection.run({ name: NOW, text: NOW, values: [] }, never));
}

/** Waits until no other transaction has that lock, and has it until this one ends. */
export async function lock(connection: PostgresConnection, name: string): Promise<void> {
  await connection.run({ name: LOCK, text: LOCK, values: [name] }, never);
}

/** What pg-boss takes as its `db`. Rows have the types that JSON has. */
export function bossDb(connection: PostgresConnection): BossDb {
  return {
    executeSql: async (text, values) => {
      const answer = await connection.run(textStatement(text, values), never);
      return { rows: JSON.parse(answer) };
    },
  };
}
