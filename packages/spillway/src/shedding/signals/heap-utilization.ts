import type { Signal } from "../signal.ts";
import { type HeapSizes, heapSizes } from "./host.ts";

/**
 * How full the JavaScript heap of this thread is, garbage included, of its limit: 0 to 1.
 *
 * It has no window: it is the state of the moment, and jumps down whenever garbage is collected.
 * Take it as a last guard, near 0.9; not as a measure of load, and not for memory outside of the
 * heap, such as buffers. Undefined where the runtime does not measure.
 *
 * @param read The heap's sizes; the runtime's own unless given.
 */
export function heapUtilization(read: () => HeapSizes | undefined = heapSizes): Signal {
  return () => {
    const sizes = read();
    if (sizes === undefined || !(sizes.heap_size_limit > 0)) return undefined;
    return sizes.used_heap_size / sizes.heap_size_limit;
  };
}
