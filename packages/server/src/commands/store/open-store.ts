import { type MemoryStats, memoryStore, type Store } from "spillway";
import type { Warn } from "spillway/core";
import type { OnEvent } from "spillway/redis";
import { watchMemory } from "../../telemetry/index.ts";
import type { Secrets } from "./redis-client.ts";
import type { StorePlace } from "./store-option.ts";

export type StoreOptions = Secrets & {
  /** How long an answer is waited for, in milliseconds. Default: that of the store. */
  readonly deadline: number | undefined;
  /** How many processes share the limits. */
  readonly instances: number;
  /** Where a database keeps it. */
  readonly schema: string;
  /** The most keys to remember in memory; undefined for what there is memory for. */
  readonly maxKeys: number | undefined;
  readonly warn: Warn;
  /** Receives what happens to a store that is not in memory, beside the log. */
  readonly onEvent?: OnEvent | undefined;
};

/** A store, ready to be asked. */
export type OpenStore = {
  readonly store: Store;
  /** How full it is, where it is in memory. */
  readonly stats?: () => MemoryStats;
  /** Where state lives, as a person reads it. */
  readonly where: string;
  /** Lets go of it, so that the process can end. */
  readonly close: () => void;
};

/** Opens a store. One that can't be reached yet is opened all the same, and reported. */
export async function openStore(place: StorePlace, options: StoreOptions): Promise<OpenStore> {
  if (place === "memory") {
    const { maxKeys, warn } = options;
    const store = memoryStore(maxKeys === undefined ? { warn } : { maxKeys, warn });
    const close = watchMemory(store, options);
    return { store, stats: () => store.stats(), where: "this process's memory", close };
  }
  // Loading a driver takes as long as all the rest: only who needs it waits for it.
  if (place.topology === "file") {
    const { openSqlite } = await import("./sqlite.ts");
    return openSqlite(place, options);
  }
  if (place.topology === "database") {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(place, options);
  }
  const { openRedis } = await import("./redis.ts");
  return openRedis(place, options);
}
