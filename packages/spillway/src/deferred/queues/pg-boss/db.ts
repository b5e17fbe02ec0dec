/** What sends the statements of pg-boss and of its queue: any connection that the Postgres store has, too. */
import type { Connection } from "../../../stores/postgres/clients/index.ts";
import type { BossDb } from "./contracts.ts";
import { textStatement } from "./statement.ts";

const NOW = "select floor(extract(epoch from clock_timestamp()) * 1000)::text";
const LOCK = "select pg_advisory_xact_lock(hashtextextended($1::text, 0))::text";

/** Whoever has begun a transaction waits for it. */
const never = () => false;

export async function nowOf(connection: Connection): Promise<number> {
  return Number(await connection.run({ name: NOW, text: NOW, values: [] }, never));
}

/** Waits until no other transaction has that lock, and has it until this one ends. */
export async function lock(connection: Connection, name: string): Promise<void> {
  await connection.run({ name: LOCK, text: LOCK, values: [name] }, never);
}

/** What pg-boss takes as its `db`. Rows have the types that JSON has. */
export function bossDb(connection: Connection): BossDb {
  return {
    executeSql: async (text, values) => {
      const answer = await connection.run(textStatement(text, values), never);
      return { rows: JSON.parse(answer) };
    },
  };
}
