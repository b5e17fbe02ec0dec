import type { MemoryStore } from "spillway";
import { afterDelay, SECOND } from "spillway/core";
import { Rarely, type RarelyOptions } from "./rarely.ts";

/**
 * Tells when a memory store forgets keys for want of room: within a second, then once a minute.
 * Returns what ends it.
 */
export function watchMemory(store: MemoryStore, options: RarelyOptions): () => void {
  const look = memoryLog(store, options);
  let stop = () => {};
  const again = () => {
    look();
    stop = afterDelay(SECOND, again);
  };
  again();
  return () => stop();
}

/** Makes what looks at a store, and tells what it has forgotten since it was last told. */
export function memoryLog(store: Pick<MemoryStore, "stats">, options: RarelyOptions): () => void {
  const rarely = new Rarely(options);
  let told = 0;
  return () => {
    const { evicted, turnedAway, maxKeys } = store.stats();
    if (evicted === told) return;
    const message =
      `keys forgotten too early, for the memory holds at most ${maxKeys}: ${evicted - told}, and ` +
      `${evicted} since the start; ${turnedAway} requests were refused because of them. Raise ` +
      "--max-keys, or find out who sends so many keys";
    if (rarely.say("evicted", message)) told = evicted;
  };
}
