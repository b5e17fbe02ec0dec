/** Decorators of stores, and the parts for authors of stores. */
export { shardPlans } from "../limits/algorithms/index.ts";
export type {
  Draw,
  Drawn,
  Lending,
  LendingNumbers,
  Lent,
  Observer,
  RegionPart,
  ShareRef,
} from "../limits/core/index.ts";
export { lent } from "./lending/lent.ts";
export type { CommandOutcome, Executor, RequestInfo } from "./port/executor.ts";
export { ASK, KIND_NUMBERS, STEPS } from "./port/protocol.ts";
export { PortError, PortRequest, type Reply, replay } from "./port/request.ts";
export type { RegionEvent } from "./regions/events.ts";
export type { Region, RegionStoreOptions } from "./regions/options.ts";
export { type RegionStore, regionStore } from "./regions/regions.ts";
export { Breaker, type BreakerSettings } from "./remote/breaker.ts";
export { type DenialCacheOptions, denialCache } from "./remote/denial-cache.ts";
export type { OnEvent, StoreEvent } from "./remote/events.ts";
export type { ResilienceOptions } from "./remote/options.ts";
export { type OutageLogOptions, outageLog } from "./remote/outage-log.ts";
export { resilient } from "./remote/resilient.ts";
export { sharded } from "./sharded/sharded-store.ts";
