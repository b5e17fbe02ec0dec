import type { Pool } from "pg";
import { postgresStore } from "spillway/postgres";
import type { PostgresLocation } from "../places/index.ts";
import type { OpenedStore, StoreOptions } from "./contracts.ts";
import {
  type DatabaseTarget,
  isInstalled,
  notInstalled,
  postgresPool,
  troubleOf,
  withSchema,
} from "./postgres/index.ts";
import { remoteOptions } from "./remote-options.ts";
import { watch } from "./watch.ts";

/** How long a connection may take to open, and how long it may be without data, in milliseconds. */
const CONNECT_TIMEOUT = 2000;

/**
 * Opens a database. If it is unreachable or not migrated, it is checked repeatedly; meanwhile the
 * store answers by policy.
 *
 * @throws CommandError `bad-schema`
 */
export async function openPostgres(
  place: PostgresLocation,
  options: StoreOptions,
): Promise<OpenedStore> {
  const { deadline, schema, warn } = options;
  const target = { name: place.name, schema };
  const pool = postgresPool(place, settingsWith(deadline));
  const remote = { name: place.name, explain: (error: Error) => troubleOf(error, target) };
  const store = withSchema(() =>
    postgresStore(pool, { schema, ...remoteOptions(remote, options) }),
  );
  const closing = new AbortController();
  // The check also opens the first connection, so that no request waits for that.
  await watch({ name: place.name, check: () => check(pool, target), warn, signal: closing.signal });
  const close = () => {
    closing.abort();
    void pool.end();
  };
  return { store, where: `${place.name}, schema ${schema}`, close };
}

function settingsWith(deadline = 0) {
  return {
    // Each statement decides for many calls, so this number is enough for one process.
    max: 10,
    // Opening a connection may take longer than a request waits, so idle ones are kept.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    // A statement without an answer for this time fails, and its connection is replaced.
    query_timeout: Math.max(CONNECT_TIMEOUT, deadline),
  };
}

/** Returns why a database can't be used; undefined if it can. */
async function check(pool: Pool, target: DatabaseTarget): Promise<string | undefined> {
  try {
    return (await isInstalled(pool, target.schema)) ? undefined : notInstalled(target);
  } catch (error) {
    return troubleOf(error, target);
  }
}
