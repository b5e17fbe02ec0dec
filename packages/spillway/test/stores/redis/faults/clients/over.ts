/** What clients of every make have in common. */
import { type RedisClient, redisStore } from "../../../../../src/stores/redis/index.ts";
import { LOOPBACK } from "../../../../servers/ports.ts";
import type { Opened } from "../../../faults/clients/opened.ts";

/** Takes a client, how it is connected where it does not do so by itself, and how it is closed. */
export function opened(
  client: RedisClient,
  { connect = async () => {}, close }: Pick<Opened, "close"> & Partial<Opened>,
): Opened {
  return {
    store: (options) => redisStore(client, options),
    connect,
    transact: () => Promise.reject(new Error("Redis has no transactions to join")),
    close,
  };
}

export const host = LOOPBACK;
export const addresses = (ports: readonly number[]) => ports.map((port) => ({ host, port }));
