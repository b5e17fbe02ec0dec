import { memoryStore } from "spillway";
import { watchMemory } from "../../telemetry/index.ts";
import type { StoreLocation } from "../places/index.ts";
import type { OpenedStore, StoreOptions } from "./contracts.ts";

/** Opens a store. One that is unreachable is opened all the same, and reported. */
export async function openStore(place: StoreLocation, options: StoreOptions): Promise<OpenedStore> {
  if (place === "memory") {
    const { maxKeys, warn } = options;
    const store = memoryStore(maxKeys === undefined ? { warn } : { maxKeys, warn });
    const close = watchMemory(store, options);
    return { store, stats: () => store.stats(), where: "this process's memory", close };
  }
  // Loading a driver takes as long as everything else, so it is loaded only if it is needed.
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
