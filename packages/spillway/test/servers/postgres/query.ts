import { Client, type QueryResultRow } from "pg";

/** Milliseconds that a connection may take. */
const PATIENCE = 20_000;

export type Reachable = { readonly url: string };

/** Asks a server over a connection of its own. Of several statements, it gives the last one's rows. */
export async function query<Row extends QueryResultRow>(
  { url }: Reachable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PATIENCE });
  // What ends the connection fails the query, too.
  client.on("error", () => {});
  await client.connect();
  try {
    const results = [await client.query<Row>(text, [...values])].flat();
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

/** Ends the connections of all other clients, as an administrator would; tells how many there were. */
export async function terminateAll(server: Reachable): Promise<number> {
  const text = `
    SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  const [row] = await query<{ ended: number }>(server, text);
  return row?.ended ?? 0;
}
