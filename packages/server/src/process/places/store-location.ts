import { nearest } from "spillway/support";
import { CommandError } from "../command-error.ts";
import { POSTGRES_SCHEMES, type PostgresLocation, readPostgresUrl } from "./postgres-url.ts";
import { REDIS_SCHEMES, type RedisLocation, readRedisUrl } from "./redis-url.ts";
import { shownUrl } from "./shown-url.ts";
import { readSqliteUrl, type SqliteLocation } from "./sqlite-url.ts";
import { UrlError } from "./url-parts.ts";

/** The place of all state. */
export type StoreLocation = "memory" | SqliteLocation | PostgresLocation | RedisLocation;

type StoreUrlReader = (text: string) => StoreLocation;

/** Parsers of URLs, by scheme. */
const READERS: ReadonlyMap<string, StoreUrlReader> = new Map([
  ["sqlite", readSqliteUrl],
  ...POSTGRES_SCHEMES.map((scheme): [string, StoreUrlReader] => [scheme, readPostgresUrl]),
  ...REDIS_SCHEMES.map((scheme): [string, StoreUrlReader] => [scheme, readRedisUrl]),
]);

const FORMS =
  "memory, sqlite:file, postgres://host:port/database, redis://host:port/db, " +
  "redis+cluster://host:port,host:port or redis+sentinel://host:port,host:port/master-name/db";

/**
 * Parses the value of `--store`. Pure.
 *
 * @throws CommandError `bad-store`. No message shows a password. The command line parser can't do
 * this, because its errors repeat their input.
 */
export function toStorePlace(text: string): StoreLocation {
  if (text === "memory") return text;
  try {
    return readerOf(text)(text);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    const found = `--store, or SPILLWAY_STORE, is ${shownUrl(text)}`;
    throw new CommandError("bad-store", `${found}, expected ${error.message}`);
  }
}

/** @throws UrlError if the text is not the URL of a store. */
function readerOf(text: string): StoreUrlReader {
  const [, scheme = ""] = /^([^:/]*):/.exec(text.trim().toLowerCase()) ?? [];
  const reader = READERS.get(scheme);
  if (reader !== undefined) return reader;
  const near = nearest(scheme, READERS.keys());
  throw new UrlError(near === undefined ? FORMS : `${FORMS}. Did you mean "${near}:"?`);
}
