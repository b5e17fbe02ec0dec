import { Pool, type PoolConfig } from "pg";
import type { PostgresPlace } from "../../places/index.ts";

/** Settings of every connection; the URL overrides them. */
const CONNECTION = {
  application_name: "spillway",
  keepAlive: true,
} as const;

/** Makes a pool, which connects when it is asked. */
export function postgresPool({ url }: PostgresPlace, settings: PoolConfig): Pool {
  const pool = new Pool({ ...CONNECTION, ...settings, connectionString: url });
  // A connection was lost that nobody used, and has left the pool. The next query gets another
  // one, or an error of its own; an error without a listener would end the process.
  pool.on("error", () => {});
  return pool;
}
