/** Decorators over the contract of a store, and what those who write a store build on. */
export { type DenialCacheOptions, denialCache } from "./denial-cache.ts";
export { listNeeds } from "./port/list-needs.ts";
export {
  ASK,
  KIND_NUMBERS,
  kindNumber,
  LENT_KIND_NUMBERS,
  SCRIPT_REPLY,
  SCRIPT_STEPS,
  STEPS,
} from "./port/protocol.ts";
export { PortError, PortRequest, type Reply, replay } from "./port/request.ts";
export type { OnRegionEvent, RegionEvent } from "./regions/events.ts";
export type { Region, RegionStoreOptions, Regions } from "./regions/options.ts";
export { type RegionStore, regionStore } from "./regions/regions.ts";
export { Breaker, type BreakerSettings } from "./resilient/breaker.ts";
export type { OnEvent, StoreEvent } from "./resilient/events.ts";
export type { Executor, Outcome, RequestInfo } from "./resilient/executor.ts";
export type { LocalStore } from "./resilient/fallback.ts";
export type { ResilienceOptions } from "./resilient/options.ts";
export { type OutageLogOptions, outageLog } from "./resilient/outage-log.ts";
export { resilient } from "./resilient/resilient.ts";
export { sharded } from "./sharded/sharded-store.ts";
export { shardPlans } from "./sharded/shards.ts";
export { type LentOptions, lent } from "./shared/lent.ts";
export { SHARED_STORE_OPTIONS, type SharedStoreOptions } from "./shared-store-options.ts";
