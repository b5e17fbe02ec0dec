import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects all garbage now, so that it is not done while something is measured. */
export function collectGarbage(): void {
  collect();
}

/** Bytes in use once all garbage is gone, array buffers included. */
export function bytesInUse(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
