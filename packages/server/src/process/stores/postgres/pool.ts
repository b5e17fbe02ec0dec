import { Pool, type PoolConfig } from "pg";
import type { PostgresLocation } from "../../places/index.ts";

/** Settings of every connection. The URL overrides them. */
const CONNECTION = {
  application_name: "spillway",
  keepAlive: true,
} as const;

/** Creates a pool, which connects on demand. */
export function postgresPool({ url }: PostgresLocation, settings: PoolConfig): Pool {
  const pool = new Pool({ ...CONNECTION, ...settings, connectionString: url });
  // An idle connection was lost and has left the pool. The next query gets another one, or an error
  // of its own. An error event without a listener would end the process.
  pool.on("error", () => {});
  return pool;
}
