import { Pool } from "pg";
import postgres from "postgres";
import { type PostgresClient, postgresStore } from "../../../../../src/stores/postgres/index.ts";
import type { Opened } from "../../../faults/clients/opened.ts";
import { isLost } from "../lost.ts";

/** A pool of ten connections that is to be opened. */
export type Client = {
  readonly driver: keyof typeof DRIVERS;
  readonly url: string;
  /** Milliseconds after which node-postgres gives a silent connection up. Default: never. */
  readonly silence?: number;
};

type Driver = Pick<Opened, "close" | "transact"> & { readonly pool: PostgresClient };

const DRIVERS = { "node-postgres": overPg, "postgres.js": overPostgresJs };

/** Seconds that postgres.js waits for its connections, which may be for one that it has lost. */
const PATIENCE = 1;

/** Makes a real pool, with the settings that it comes with. */
export async function openClient(client: Client): Promise<Opened> {
  const { pool, transact, close } = DRIVERS[client.driver](client);
  return {
    // What is warned of, events tell as well.
    store: (options) => postgresStore(pool, { ...options, warn: () => {} }),
    connect: async () => {},
    transact: (work) => untilWon(() => transact(work)),
    close,
  };
}

function overPg({ url, silence = 0 }: Client): Driver {
  const patience = { query_timeout: silence, connectionTimeoutMillis: silence };
  const pool = new Pool({ connectionString: url, ...patience });
  const close = () => pool.end();
  return { pool, close, transact: (work) => transact(pool, work) };
}

async function transact<T>(pool: Pool, work: (transaction: object) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

function overPostgresJs({ url }: Client): Driver {
  // What breaks a connection while it asks for types is caught by nobody (3.4.9).
  const sql = postgres(url, { fetch_types: false });
  return {
    pool: sql,
    close: () => sql.end({ timeout: PATIENCE }),
    transact: async <T>(work: (transaction: object) => Promise<T>) => (await sql.begin(work)) as T,
  };
}

async function untilWon<T>(transact: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await transact();
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
}
