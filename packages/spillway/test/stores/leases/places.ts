/** Where leases are kept while processes compete for them. */
import { DatabaseSync } from "node:sqlite";
import { Redis } from "ioredis";
import pg from "pg";
import type { Store, Timing } from "../../../src/limits/core/index.ts";
import { postgresStore } from "../../../src/stores/postgres/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";

/** A store's kind, and what leads to it: a port, an address or a path. */
export type Place = { readonly store: "redis" | "postgres" | "sqlite"; readonly at: string };

/** A store, and how to let go of it. */
export type Opened = { readonly store: Store<Timing>; close(): Promise<unknown> };

/** Milliseconds: a machine that is busy is no outage. */
const PATIENT = 30_000;

/** Opens a store in a process of its own. */
export function open({ store, at }: Place): Opened {
  if (store === "redis") {
    const client = new Redis(Number(at), { autoResendUnfulfilledCommands: false });
    const warn = () => {};
    return { store: redisStore(client, { deadline: PATIENT, warn }), close: () => client.quit() };
  }
  if (store === "postgres") {
    const pool = new pg.Pool({ connectionString: at, max: 4 });
    return { store: postgresStore(pool, { deadline: PATIENT }), close: () => pool.end() };
  }
  const database = new DatabaseSync(at);
  const close = async () => database.close();
  return { store: sqliteStore(database, { busyTimeout: PATIENT }), close };
}
