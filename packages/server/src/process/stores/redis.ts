import type { Warn } from "spillway/core";
import { redisStore } from "spillway/redis";
import type { RedisLocation } from "../places/index.ts";
import type { OpenedStore, StoreOptions } from "./contracts.ts";
import { RedisConnection } from "./redis-connection.ts";
import { remoteOptions } from "./remote-options.ts";

/** Connects to Redis. If that fails it retries; meanwhile the store answers by policy. */
export async function openRedis(place: RedisLocation, options: StoreOptions): Promise<OpenedStore> {
  const connection = new RedisConnection(place, options.sentinels);
  const remote = { name: place.name, explain: () => connection.trouble };
  const store = redisStore(connection.client, remoteOptions(remote, options));
  await connection.attempted();
  reportOutage(connection, { name: place.name, warn: options.warn });
  return { store, where: place.name, close: () => connection.close() };
}

type OutageReporting = { readonly name: string; readonly warn: Warn };

/** Reports that it is not connected, and later that it is. */
function reportOutage(connection: RedisConnection, { name, warn }: OutageReporting): void {
  const { client, trouble } = connection;
  if (trouble === undefined) return;
  warn(`${name} can't be reached: ${trouble}. Retrying until it answers`);
  client.once("ready", () => warn(`${name} is connected`));
}
