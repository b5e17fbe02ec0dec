/** The clients that a store can use. Only their types are declared here; nothing is imported. */
import { SpillwayError, type Warn } from "../../../limits/core/index.ts";
import type { RedisDriver } from "./connection.ts";
import { type GlideClient, overGlide } from "./glide.ts";
import { type IoRedisClient, overIoRedis } from "./ioredis.ts";
import { type NodeRedisClient, overNodeRedis } from "./node-redis.ts";

export type { RedisDriver } from "./connection.ts";
export type { GlideClient } from "./glide.ts";
export type { IoRedisClient } from "./ioredis.ts";
export type { NodeRedisClient } from "./node-redis.ts";

/** A client of Redis or Valkey. The caller creates and closes it. */
export type RedisClient = IoRedisClient | NodeRedisClient | GlideClient;

/**
 * Wraps a client in the interface that the store uses. @throws SpillwayError `bad-client` if it is
 * no known client.
 */
export function connect(client: RedisClient, warn: Warn): RedisDriver {
  if (has(client, ["evalsha", "eval", "on"]) && "status" in client) {
    return overIoRedis(client, warn);
  }
  if (has(client, ["evalSha", "eval", "on"]) && "isReady" in client) {
    return overNodeRedis(client);
  }
  if (has(client, ["customCommand"])) return overGlide(client as GlideClient);
  throw new SpillwayError({
    code: "bad-client",
    field: "client",
    value: client,
    isPrivate: true,
    expected: "a client of ioredis, node-redis or valkey-glide",
    hint:
      "Pass the client itself, such as `new Redis(…)` or what createClient returns; not a " +
      "URL or its options",
  });
}

function has(client: unknown, methods: readonly string[]): boolean {
  if (typeof client !== "object" || client === null) return false;
  return methods.every((name) => typeof (client as Record<string, unknown>)[name] === "function");
}
