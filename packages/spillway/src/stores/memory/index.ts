/** The store for one process: exact, bounded, and as fast as a map. */
import { clock, isWhole, type OptionTable, readOptions, warn } from "../../internal/index.ts";
import { type Clock, SpillwayError, type Warn } from "../../limits/core/index.ts";
import { MOST_KEYS, usualMaxKeys } from "./max-keys.ts";
import { MemoryStore } from "./memory-store.ts";

export type { MemoryStats, MemoryStore } from "./memory-store.ts";

/** Settings of a memory store. */
export type MemoryStoreOptions = {
  /**
   * The most keys to remember, over all limits: 1 to 10 million. Default: what a quarter of the
   * memory that the runtime allows has room for, at 128 bytes a key; at least 100 000, and a million
   * where it does not say.
   */
  readonly maxKeys?: number;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Receives a warning, once, when 80 % of `maxKeys` are in use. Default: the console. */
  readonly warn?: Warn;
};

/**
 * Makes a store that lives in this process and answers at once.
 *
 * A key costs some 90 bytes beyond its own text, and is dropped when it equals a fresh one. Beyond
 * `maxKeys` the key nearest to fresh is forgotten, which `stats()` counts; one that was being refused
 * goes on being refused. Pass one store to several limiters to let them share their budgets.
 *
 * Not for several processes that should share one budget: each would count for itself.
 *
 * @throws SpillwayError `bad-max-keys`, `bad-clock`, `bad-option`.
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return new MemoryStore(readOptions({ of: "memoryStore" }, options, TABLE));
}

const TABLE = { maxKeys: checkedMaxKeys, clock, warn } satisfies OptionTable<MemoryStoreOptions>;

function checkedMaxKeys(value: unknown = usualMaxKeys()): number {
  if (isWhole(value, { least: 1, most: MOST_KEYS })) return value;
  const expected = `a whole number from 1 to ${MOST_KEYS}`;
  throw new SpillwayError({ code: "bad-max-keys", field: "maxKeys", value, expected });
}
