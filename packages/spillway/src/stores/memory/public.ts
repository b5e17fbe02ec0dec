/** The store for one process: exact, bounded, and as fast as a map. */
export {
  type MemoryStats,
  type MemoryStore,
  type MemoryStoreOptions,
  memoryStore,
} from "./index.ts";
