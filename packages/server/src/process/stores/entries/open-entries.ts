import type { SentinelAccess, StoreLocation } from "../../places/index.ts";
import type { EntryStore } from "./contracts.ts";

type EntryOptions = {
  /** The login for sentinels. */
  readonly sentinels: SentinelAccess;
  /** The schema in a database. */
  readonly schema: string;
};

/**
 * Opens the entries of a store, by a connection of its own. A store that is unreachable is opened
 * all the same. Drivers are loaded only if they are needed.
 *
 * @throws CommandError `bad-store`
 */
export async function openEntries(
  place: Exclude<StoreLocation, "memory">,
  options: EntryOptions,
): Promise<EntryStore> {
  if (place.topology === "file") {
    const { sqliteEntries } = await import("./sqlite-entries.ts");
    return sqliteEntries(place);
  }
  if (place.topology === "database") {
    const { postgresEntries } = await import("./postgres-entries.ts");
    return postgresEntries(place, options);
  }
  const { redisEntries } = await import("./redis-entries.ts");
  return redisEntries(place, options);
}
