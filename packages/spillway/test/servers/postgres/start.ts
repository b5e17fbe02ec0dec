import { join } from "node:path";
import { insist } from "../port-taken.ts";
import { freePort, LOOPBACK } from "../ports.ts";
import { until } from "../until.ts";
import { isExecutable, postgresBinaries } from "./binaries.ts";
import { newData, OWNER } from "./data.ts";
import { temporaryFolder } from "./folder.ts";
import { query } from "./query.ts";
import { run } from "./run.ts";
import { PostgresServer, type Settings } from "./server.ts";

export type PostgresOptions = { readonly settings?: Settings };

/** Starts a PostgreSQL server with an empty database, and waits until it answers. */
export function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresServer> {
  return insist(() => launch({ settings, fill: newData }));
}

/** What there is in the way of a replica: what is made for npm is no more than a server. */
export async function obstacleToReplicas(): Promise<string | undefined> {
  const path = await backupProgram();
  return isExecutable(path) ? undefined : `A replica is made by ${path}, which there isn't.`;
}

/** Starts a read-only copy of a server, and waits until it follows what is written there. */
export async function replicaOf(server: PostgresServer): Promise<PostgresServer> {
  const { settings } = server;
  const fill = (directory: string) => copyData(server, directory);
  const replica = await insist(() => launch({ settings, fill }));
  await until(() => follows(replica), { what: `server ${replica.port} follows ${server.port}` });
  return replica;
}

type Launch = {
  readonly settings: Settings;
  /** Makes the folder `data` in a directory. */
  readonly fill: (directory: string) => Promise<void>;
};

async function launch({ settings, fill }: Launch): Promise<PostgresServer> {
  const { folder } = await postgresBinaries();
  const place = { port: await freePort(), directory: await temporaryFolder("server") };
  const server = new PostgresServer({ programs: folder, ...place, settings });
  try {
    await fill(server.directory);
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function copyData({ port }: PostgresServer, directory: string): Promise<void> {
  const source = ["-h", LOOPBACK, "-p", `${port}`, "-U", OWNER];
  const way = ["--no-sync", "--checkpoint=fast", "--write-recovery-conf"];
  const args = [...source, ...way, "-D", join(directory, "data")];
  await run({ path: await backupProgram(), args, directory });
}

async function backupProgram(): Promise<string> {
  return join((await postgresBinaries()).folder, "pg_basebackup");
}

async function follows(replica: PostgresServer): Promise<boolean> {
  const rows = await query(replica, "SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming'");
  return rows.length === 1;
}
