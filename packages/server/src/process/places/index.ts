export type { PostgresLocation } from "./postgres-url.ts";
export type { RedisLocation, SentinelAccess } from "./redis-url.ts";
export type { SqliteLocation } from "./sqlite-url.ts";
export { type StoreLocation, toStorePlace } from "./store-location.ts";
