import type { MemoryStore } from "spillway";
import { SECOND } from "spillway/core";
import { afterDelay } from "spillway/support";
import { ThrottledLog, type ThrottledLogOptions } from "./throttled-log.ts";

/**
 * Reports when a memory store evicts keys because it is full: within a second, then at most once a
 * minute. Returns the function that stops it.
 */
export function watchMemory(store: MemoryStore, options: ThrottledLogOptions): () => void {
  const check = memoryLog(store, options);
  let stop = () => {};
  const again = () => {
    check();
    stop = afterDelay(SECOND, again);
  };
  again();
  return () => stop();
}

/** Creates the function that checks a store and reports the keys evicted since its last report. */
export function memoryLog(
  store: Pick<MemoryStore, "stats">,
  options: ThrottledLogOptions,
): () => void {
  const throttled = new ThrottledLog(options);
  let reported = 0;
  return () => {
    const { evicted, turnedAway, maxKeys } = store.stats();
    if (evicted === reported) return;
    const message =
      `keys forgotten too early, because memory holds at most ${maxKeys}: ` +
      `${evicted - reported}, and ` +
      `${evicted} since the start; ${turnedAway} requests were refused because of them. Raise ` +
      "--max-keys, or find the clients that send so many keys";
    if (throttled.say({ sort: "evicted", message })) reported = evicted;
  };
}
