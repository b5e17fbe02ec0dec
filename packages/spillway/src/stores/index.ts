/** Decorators over the contract of a store, and what those who write a store build on. */

export { type LentOptions, lent } from "./lending/lent.ts";
export type { Executor, Outcome, RequestInfo } from "./port/executor.ts";
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
export { Breaker, type BreakerSettings } from "./remote/breaker.ts";
export { type DenialCacheOptions, denialCache } from "./remote/denial-cache.ts";
export type { OnEvent, StoreEvent } from "./remote/events.ts";
export type { LocalStore } from "./remote/fallback.ts";
export type { ResilienceOptions } from "./remote/options.ts";
export { type OutageLogOptions, outageLog } from "./remote/outage-log.ts";
export { resilient } from "./remote/resilient.ts";
export { SHARED_STORE_OPTIONS, type SharedStoreOptions } from "./remote/shared-store-options.ts";
export { sharded } from "./sharded/sharded-store.ts";
export { shardPlans } from "./sharded/shards.ts";
