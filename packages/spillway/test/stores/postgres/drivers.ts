import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import postgres from "postgres";
import type { PostgresClient } from "../../../src/stores/postgres/index.ts";

/** A driver's pool on a server, or a server of its own. */
export type Opened = {
  readonly pool: PostgresClient;
  script(text: string): Promise<unknown>;
  close(): Promise<void>;
};

/** The drivers that a store can talk through. */
export const drivers = {
  node_postgres: async ({ url }: { readonly url: string }): Promise<Opened> => {
    const pool = new pg.Pool({ connectionString: url, max: 5 });
    return { pool, script: (text) => pool.query(text), close: () => pool.end() };
  },
  postgres_js: async ({ url }: { readonly url: string }): Promise<Opened> => {
    const sql = postgres(url, { max: 5, onnotice: () => {} });
    return { pool: sql, script: (text) => sql.unsafe(text), close: () => sql.end() };
  },
  pglite: async (): Promise<Opened> => {
    const pool = new PGlite();
    await pool.waitReady;
    return { pool, script: (text) => pool.exec(text), close: () => pool.close() };
  },
};
