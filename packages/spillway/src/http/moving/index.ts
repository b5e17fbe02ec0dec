/** Stores for limiters of other packages, so that theirs hold across processes and to the unit. */
export { HIT_STORE_OPTIONS, HitStore, type HitStoreOptions } from "./hit-store.ts";
