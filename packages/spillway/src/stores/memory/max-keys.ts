/** How many keys a memory store remembers where nobody says: as many as there is memory for. */

/** Above this a runtime's own `Map` can't grow. */
export const MOST_KEYS = 10_000_000;
const LEAST_KEYS = 100_000;
/** Where the runtime does not say how much memory it allows. */
const USUAL_KEYS = 1_000_000;
/** What a key takes, with a text of some 20 characters. */
const BYTES_PER_KEY = 128;
/** The part of the memory that keys may take. */
const PART = 1 / 4;

/** What is used of `node:v8`, which Bun and Deno have as well. */
type V8 = { getHeapStatistics?(): { readonly heap_size_limit: number } };

type HeapRuntime = {
  readonly process?: { getBuiltinModule?(name: "node:v8"): V8 | undefined };
};

const host = globalThis as typeof globalThis & HeapRuntime;

/** What a part of the heap that the runtime allows has room for. */
export function usualMaxKeys(): number {
  return keysIn(heapLimit());
}

/** How many keys a heap of so many bytes has room for; of 0 bytes, where that is not known. Pure. */
export function keysIn(heap: number): number {
  if (!(heap > 0)) return USUAL_KEYS;
  const keys = Math.floor((heap * PART) / BYTES_PER_KEY);
  return Math.max(LEAST_KEYS, Math.min(MOST_KEYS, keys));
}

function heapLimit(): number {
  const v8 = host.process?.getBuiltinModule?.("node:v8");
  return v8?.getHeapStatistics?.().heap_size_limit ?? 0;
}
