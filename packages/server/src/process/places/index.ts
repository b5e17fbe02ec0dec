export type { PostgresPlace } from "./postgres-url.ts";
export type { RedisPlace, SentinelAccess } from "./redis-url.ts";
export type { SqlitePlace } from "./sqlite-url.ts";
export { type StorePlace, toStorePlace } from "./store-place.ts";
