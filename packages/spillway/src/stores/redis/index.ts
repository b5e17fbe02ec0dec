/** The store for many processes that share budgets: one script call a decision. */
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
   * What the names of all keys begin with: 1 to 64 characters without braces or spaces.
   * Default: `"spillway"`. Stores with one prefix share their budgets.
   */
  readonly prefix?: string;
  /**
   * Which budgets of a cluster are to be kept together, so that one script can take from all of
   * them: those with the same tag. Default: all limits of one key. Changing it forgets what
   * keys have used.
   */
  readonly tag?: HashTag;
  /**
   * Gives the time in place of the server's clock. For tests alone: clients' clocks differ, and
   * keys stay for an hour longer than they are good for. It may show any instant before the year
   * 3050.
   */
  readonly clock?: Clock;
  /** Receives warnings. Default: the console. */
  readonly warn?: Warn;
};

const LONGEST_PREFIX = 64;

/**
 * Makes a store that keeps its states in Redis 6.2 or later, or in Valkey: standalone, behind
 * Sentinel, or in a cluster.
 *
 * A decision is one script call, and all that is asked in one turn of the event loop shares it; in
 * a cluster, all that is asked of one slot. The server's own clock gives the time. Every key
 * expires when it equals a fresh one. Where Redis fails or is late, each limit's `whenUnavailable`
 * answers, and the answer says `degraded`; see `docs/stores/redis.md` for what each fault does.
 *
 * Not for one process alone, which a memory store serves a hundred times faster, nor where a limit
 * must be taken in one transaction with rows of a database.
 *
 * @param client Of ioredis, node-redis or valkey-glide; connected and closed by the caller.
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
  tag: callable<HashTag>("a function that names, for a limit and a key, what is kept together"),
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
