/** The store for many processes that share budgets: one script call for each decision. */
import { callable, type OptionTable, readOptions, warn } from "../../internal/index.ts";
import { type Clock, SpillwayError, type Store, type Warn } from "../../limits/core/index.ts";
import { SHARED_STORE_OPTIONS, type SharedStoreOptions, sharedStore } from "../shared/index.ts";
import { connect, type RedisClient } from "./clients/connect.ts";
import { RedisExecutor } from "./redis-executor.ts";
import { type HashTag, RedisKeys } from "./redis-keys.ts";
import { testClock } from "./test-clock.ts";

export type { BreakerSettings, DenialCacheOptions, OnEvent, StoreEvent } from "../index.ts";
export type { SharedStoreOptions } from "../shared/index.ts";
export type { RedisClient } from "./clients/connect.ts";

/** Settings of a Redis store. */
export type RedisStoreOptions = SharedStoreOptions & {
  /**
   * The prefix of all keys: 1 to 64 characters without braces or spaces. Default: `"spillway"`.
   * Stores with the same prefix share their budgets.
   */
  readonly prefix?: string;
  /**
   * Returns the tag of a budget. Budgets with the same tag share a slot of a cluster, so that one
   * script can take from all of them. Default: all limits of one key share a slot. If you change
   * it, everything that keys have used is lost.
   */
  readonly tag?: HashTag;
  /**
   * Returns the time, instead of the server's clock. For tests only: clients' clocks differ, and
   * keys expire an hour late. Any instant before the year 3050.
   */
  readonly clock?: Clock;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
};

const LONGEST_PREFIX = 64;

/**
 * Creates a store that keeps its states in Redis 6.2 or later, or in Valkey.
 *
 * The server can be standalone, behind Sentinel, or a cluster. Each decision is a part of one
 * script call, which all calls of one turn of the event loop share; in a cluster, all calls for one
 * slot. The server's clock gives the time. Every key expires when it equals a fresh one. If Redis
 * fails or is late, each limit's `whenUnavailable` decides, and the decision has `degraded: true`.
 * See `docs/stores/redis.md` for the effect of each fault.
 *
 * Not for a single process, for which a memory store is a hundred times faster. Not for limits that
 * must be taken in one transaction with rows of a database.
 *
 * @param client A client of ioredis, node-redis or valkey-glide. The caller connects and closes it.
 * @throws SpillwayError `bad-client`, `bad-option`, `bad-clock`, `unknown-field`.
 * @example
 * const client = new Redis({ autoResendUnfulfilledCommands: false });
 * const limiter = new RateLimiter(limits, { store: redisStore(client) });
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store<"later"> {
  const { prefix, tag, clock, warn, ...shared } = readOptions({ of: "redisStore" }, options, TABLE);
  const executor = new RedisExecutor(connect(client, warn), new RedisKeys(prefix, tag), clock);
  return sharedStore(executor, { ...shared, warn });
}

const TABLE = {
  prefix: checkedPrefix,
  tag: callable<HashTag>("a function that returns the hash tag of a limit and a key"),
  clock: (value: unknown) => (value === undefined ? undefined : testClock(value as Clock)),
  warn,
  ...SHARED_STORE_OPTIONS,
} satisfies OptionTable<RedisStoreOptions>;

function checkedPrefix(prefix: unknown = "spillway"): string {
  const fits = typeof prefix === "string" && prefix.length >= 1 && prefix.length <= LONGEST_PREFIX;
  if (fits && /^[^\s{}\p{Cc}\p{Cs}]+$/u.test(prefix)) return prefix;
  throw new SpillwayError({
    code: "bad-option",
    field: "prefix",
    value: prefix,
    expected: `1 to ${LONGEST_PREFIX} characters without spaces or braces`,
    hint: "Braces mark the part of a key that decides its slot in a cluster",
  });
}
