/** Entries of an audit log in a stream of Redis. */
import type { RedisLocation, SentinelAccess } from "../../places/index.ts";
import { RedisConnection } from "../redis-connection.ts";
import { type EntryStore, MOST_KEPT } from "./contracts.ts";

/** The stream. No budget has this name: theirs continue with a brace. */
const STREAM = "spillway:audit";

/**
 * Connects to the Redis of a store. If that fails it retries; meanwhile each call fails.
 *
 * The number of an entry is its id in the stream. Redis refuses an id that is not above the last
 * one, so one command compares versions and appends, in a cluster as well.
 */
export async function redisEntries(
  place: RedisLocation,
  { sentinels }: { readonly sentinels: SentinelAccess },
): Promise<EntryStore> {
  const connection = new RedisConnection(place, sentinels);
  await connection.attempted();
  const { client } = connection;
  return {
    where: `${STREAM} in ${place.name}`,
    newest: async (count) => {
      const found = await client.xrevrange(STREAM, "+", "-", "COUNT", count);
      return found.map(([, [, text = ""]]) => text);
    },
    put: async ({ version, text }) => {
      try {
        await client.xadd(STREAM, "MAXLEN", "~", MOST_KEPT, `${version}-0`, "entry", text);
        return true;
      } catch (error) {
        if (IS_TAKEN.test((error as Error).message)) return false;
        throw error;
      }
    },
    lastOfEmptied: async () => {
      try {
        return lastOfEmptied((await client.xinfo("STREAM", STREAM)) as readonly unknown[]);
      } catch (error) {
        if (IS_MISSING.test((error as Error).message)) return 0;
        throw error;
      }
    },
    explain: ({ message }) => connection.trouble ?? connection.shown(message),
    close: async () => connection.close(),
  };
}

const IS_TAKEN = /ID specified in XADD is equal or smaller/;
const IS_MISSING = /no such key/;

/** Reads the reply of `XINFO STREAM`: names and values in turn. */
function lastOfEmptied(reply: readonly unknown[]): number {
  const fieldOf = (name: string) => reply[reply.indexOf(name) + 1];
  return fieldOf("length") === 0 ? Number.parseInt(String(fieldOf("last-generated-id")), 10) : 0;
}
