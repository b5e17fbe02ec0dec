/** Stores for rate limiters of other packages, so that their limits are exact across processes. */
export { HIT_STORE_OPTIONS, HitStore, type HitStoreOptions } from "./hit-store.ts";
