import type { Warn } from "spillway/core";
import { redisStore } from "spillway/redis";
import { deadlineOf } from "./deadline.ts";
import { healthLog } from "./health-log.ts";
import type { OpenStore, StoreOptions } from "./open-store.ts";
import { RedisConnection } from "./redis-connection.ts";
import type { RedisPlace } from "./redis-url.ts";

/** Connects to Redis. Where that fails it goes on trying: meanwhile the store answers by policy. */
export async function openRedis(place: RedisPlace, options: StoreOptions): Promise<OpenStore> {
  const { deadline, instances, warn } = options;
  const connection = new RedisConnection(place, options);
  const explain = () => connection.trouble;
  const onEvent = healthLog({ name: place.name, warn, explain, onEvent: options.onEvent });
  const store = redisStore(connection.client, {
    instances,
    onEvent,
    warn: (message) => warn(`${place.name}: ${message}`),
    ...deadlineOf(deadline),
  });
  await connection.attempted();
  reportOutage(connection, place.name, warn);
  return { store, where: place.name, close: () => connection.close() };
}

/** Says that it is not connected, and then that it is. */
function reportOutage(connection: RedisConnection, name: string, warn: Warn): void {
  const { client, trouble } = connection;
  if (trouble === undefined) return;
  warn(`${name} can't be reached: ${trouble}. It is tried again and again`);
  client.once("ready", () => warn(`${name} is reached`));
}
