import { Pool } from "pg";
import { migrate } from "../../../../src/stores/postgres/index.ts";
import type { SchemaOptions } from "../../../../src/stores/postgres/schema.ts";
import type { PostgresServer } from "../../../servers/postgres/server.ts";
import { type PostgresOptions, startPostgres } from "../../../servers/postgres/start.ts";

type Options = PostgresOptions & { readonly schema?: SchemaOptions };

/** Starts a server on which a store finds all that it needs. */
export async function migrated({ schema, ...options }: Options = {}): Promise<PostgresServer> {
  const server = await startPostgres(options);
  try {
    await install(server, schema);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Installs what a store needs. */
export async function install({ url }: { readonly url: string }, options?: SchemaOptions) {
  const pool = new Pool({ connectionString: url, max: 1 });
  await migrate(pool, options);
  await pool.end();
}
