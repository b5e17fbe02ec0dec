import { MemoryStore, type Options } from "express-rate-limit";
import type { Asker, Pace, Peer } from "./peer.ts";

/** A fixed window in its `MemoryStore`, as its middleware asks it. */
export const expressRateLimit: Peer = {
  name: "express-rate-limit",
  open: (pace) => new ExpressAsker(pace),
};

class ExpressAsker implements Asker {
  readonly #store = new MemoryStore();
  readonly #rate: number;

  constructor({ rate, period }: Pace) {
    this.#rate = rate;
    this.#store.init({ windowMs: period } as Options);
  }

  async ask(keys: readonly string[]): Promise<number> {
    let admitted = 0;
    for (const key of keys) {
      const { totalHits } = await this.#store.increment(key);
      if (totalHits <= this.#rate) admitted++;
    }
    return admitted;
  }

  close(): void {
    this.#store.shutdown();
  }
}
