import { type HonoConfigType, MemoryStore } from "hono-rate-limiter";
import type { Asker, Pace, Peer } from "./peer.ts";

/** A fixed window in its `MemoryStore`, whose answers are returned: nothing is awaited. */
export const honoRateLimiter: Peer = {
  name: "hono-rate-limiter",
  open: (pace) => new HonoAsker(pace),
};

class HonoAsker implements Asker {
  readonly #store = new MemoryStore();
  readonly #rate: number;

  constructor({ rate, period }: Pace) {
    this.#rate = rate;
    this.#store.init({ windowMs: period } as HonoConfigType);
  }

  ask(keys: readonly string[]): number {
    let admitted = 0;
    for (const key of keys) if (this.#store.increment(key).totalHits <= this.#rate) admitted++;
    return admitted;
  }

  close(): void {
    this.#store.shutdown();
  }
}
