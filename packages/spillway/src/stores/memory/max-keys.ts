/** The default of `maxKeys`: as many keys as fit in a part of the heap. */

/** A `Map` can't grow much beyond this. */
export const MOST_KEYS = 10_000_000;
const LEAST_KEYS = 100_000;
/** The default if the limit of the heap is unknown. */
const USUAL_KEYS = 1_000_000;
/** The memory of one key whose text has about 20 characters. */
const BYTES_PER_KEY = 128;
/** The part of the heap that keys may use. */
const PART = 1 / 4;

/** The parts of `node:v8` that are used. Bun and Deno have them too. */
type V8 = { getHeapStatistics?(): { readonly heap_size_limit: number } };

type HeapRuntime = {
  readonly process?: { getBuiltinModule?(name: "node:v8"): V8 | undefined };
};

const host = globalThis as typeof globalThis & HeapRuntime;

/** Returns the default of `maxKeys` for this process. */
export function usualMaxKeys(): number {
  return keysIn(heapLimit());
}

/** Returns how many keys fit in a heap with a limit in bytes; 0 means that it is unknown. Pure. */
export function keysIn(heap: number): number {
  if (!(heap > 0)) return USUAL_KEYS;
  const keys = Math.floor((heap * PART) / BYTES_PER_KEY);
  return Math.max(LEAST_KEYS, Math.min(MOST_KEYS, keys));
}

function heapLimit(): number {
  const v8 = host.process?.getBuiltinModule?.("node:v8");
  return v8?.getHeapStatistics?.().heap_size_limit ?? 0;
}
