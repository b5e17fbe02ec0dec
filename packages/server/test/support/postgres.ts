import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migration } from "spillway/postgres";
import { query } from "../../../spillway/test/servers/postgres/query.ts";
import type { PostgresServer } from "../../../spillway/test/servers/postgres/server.ts";
import { startPostgres } from "../../../spillway/test/servers/postgres/start.ts";

/** A server, and as whom one gets in. */
export type Guarded = {
  readonly server: PostgresServer;
  /** Where the server is, and the database: without anybody's name. */
  readonly place: string;
  /** The URL for a user. */
  readonly urlFor: (user: string, password: string) => string;
};

/** What hardly anybody would use, but may. */
export const SECRET = "s3:cr/t@?";

/** Whoever is not the owner needs a password. */
const ACCESS = `
host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

/** Starts a server on which everything is installed. */
export async function startMigrated(): Promise<PostgresServer> {
  const server = await startPostgres();
  await query(server, migration());
  return server;
}

/** Starts a server where ann owns the database `app`, where bob may do nothing, and both need SECRET. */
export async function startGuarded(): Promise<Guarded> {
  const server = await startPostgres();
  await query(server, `create role ann login password '${SECRET}'`);
  await query(server, `create role bob login password '${SECRET}'`);
  await query(server, "create database app owner ann");
  await writeFile(join(server.directory, "data", "pg_hba.conf"), ACCESS);
  await server.restart();
  const place = `127.0.0.1:${server.port}/app`;
  const urlFor = (user: string, password: string) =>
    `postgres://${user}:${encodeURIComponent(password)}@${place}`;
  return { server, place, urlFor };
}
