import type { Pool } from "pg";
import { postgresStore } from "spillway/postgres";
import { deadlineOf } from "./deadline.ts";
import { healthLog } from "./health-log.ts";
import type { OpenStore, StoreOptions } from "./open-store.ts";
import { postgresPool } from "./postgres-pool.ts";
import { isInstalled, withSchema } from "./postgres-schema.ts";
import { notInstalled, type Target, troubleOf } from "./postgres-trouble.ts";
import type { PostgresPlace } from "./postgres-url.ts";
import { watch } from "./watch.ts";

/** How long a connection may take to be made, and how long it may say nothing, in milliseconds. */
const CONNECT_TIMEOUT = 2000;

/**
 * Opens a database. Where it can't be reached, or has not been migrated, it is checked again and
 * again: meanwhile the store answers by policy.
 *
 * @throws CommandError `bad-schema`
 */
export async function openPostgres(
  place: PostgresPlace,
  { deadline, instances, schema, warn, onEvent: beside }: StoreOptions,
): Promise<OpenStore> {
  const target = { name: place.name, schema };
  const pool = postgresPool(place, settingsWith(deadline));
  const explain = (error: Error) => troubleOf(error, target);
  const onEvent = healthLog({ name: place.name, warn, explain, onEvent: beside });
  const store = withSchema(() =>
    postgresStore(pool, {
      schema,
      instances,
      onEvent,
      warn: (message) => warn(`${place.name}: ${message}`),
      ...deadlineOf(deadline),
    }),
  );
  const closing = new AbortController();
  // It also makes the first connection, so that no request waits for that.
  await watch({ name: place.name, check: () => check(pool, target), warn, signal: closing.signal });
  const close = () => {
    closing.abort();
    void pool.end();
  };
  return { store, where: `${place.name}, schema ${schema}`, close };
}

function settingsWith(deadline = 0) {
  return {
    // Each statement decides for many: these are enough for all that one process is asked.
    max: 10,
    // Making one may take longer than a request waits, so they are kept.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    // One that says nothing for so long is dead, whatever the network says: it is replaced.
    query_timeout: Math.max(CONNECT_TIMEOUT, deadline),
  };
}

/** What keeps a database from being used, if anything does. */
async function check(pool: Pool, target: Target): Promise<string | undefined> {
  try {
    return (await isInstalled(pool, target.schema)) ? undefined : notInstalled(target);
  } catch (error) {
    return troubleOf(error, target);
  }
}
