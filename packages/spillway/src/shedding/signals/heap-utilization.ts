import type { Signal } from "../signal.ts";
import { type HeapSizes, heapSizes } from "./host.ts";

/**
 * Creates a signal: the share of its limit that this thread's JavaScript heap uses, 0 to 1.
 *
 * Garbage is included. It has no window: it shows the moment, and drops whenever garbage is
 * collected. Use it as a last guard, near 0.9. Not as a measure of load, and not for memory outside
 * the heap, such as buffers. Undefined if the runtime does not measure.
 *
 * @param read Returns the heap's sizes. Default: those of the runtime.
 */
export function heapUtilization(read: () => HeapSizes | undefined = heapSizes): Signal {
  return () => {
    const sizes = read();
    if (sizes === undefined || !(sizes.heap_size_limit > 0)) return undefined;
    return sizes.used_heap_size / sizes.heap_size_limit;
  };
}
