/** The store for one process: exact, bounded, and as fast as a map. */
import { clock, isWhole, type OptionTable, readOptions, warn } from "../../internal/index.ts";
import { type Clock, SpillwayError, type Warn } from "../../limits/core/index.ts";
import { MOST_KEYS, usualMaxKeys } from "./max-keys.ts";
import { MemoryStore } from "./memory-store.ts";

export { MOST_KEYS, usualMaxKeys } from "./max-keys.ts";
export { type CoreSteps, MemoryCore, type MemoryStats } from "./memory-core.ts";
export type { MemoryStore } from "./memory-store.ts";

/** Settings of a memory store. */
export type MemoryStoreOptions = {
  /**
   * The maximum number of keys to keep, over all limits: 1 to 10 million. Default: as many as fit
   * in a quarter of the heap that the runtime allows, at 128 bytes a key. The default is at least
   * 100 000, and a million if the heap's limit is unknown.
   */
  readonly maxKeys?: number;
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
  /**
   * Receives a warning, once, when more than 80 % of `maxKeys` are in use. Default: the console.
   */
  readonly warn?: Warn;
};

/**
 * Creates a store in the memory of this process. It answers synchronously.
 *
 * A key costs about 90 bytes in addition to its own text, and is dropped once it equals a fresh
 * one. Beyond `maxKeys`, the store evicts a key near to fresh, and `stats()` counts it. If that key
 * was being refused, it stays refused. To share budgets between several limiters, pass them the
 * same store.
 *
 * Not for several processes that share a budget: each process would count on its own.
 *
 * @throws SpillwayError `bad-max-keys`, `bad-clock`, `bad-option`, `unknown-field`.
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
