import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Asker, Pace, Peer } from "./peer.ts";

/** A fixed window in `RateLimiterMemory`. A refusal is a rejected promise. */
export const rateLimiterFlexible: Peer = {
  name: "rate-limiter-flexible",
  open: (pace) => new FlexibleAsker(pace),
};

class FlexibleAsker implements Asker {
  readonly #limiter: RateLimiterMemory;
  readonly #asked = new Set<readonly string[]>();

  constructor({ rate, period }: Pace) {
    this.#limiter = new RateLimiterMemory({ points: rate, duration: period / 1000 });
  }

  async ask(keys: readonly string[]): Promise<number> {
    this.#asked.add(keys);
    let admitted = 0;
    for (const key of keys) {
      try {
        await this.#limiter.consume(key);
        admitted++;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
      }
    }
    return admitted;
  }

  /** Each key has a timer, which only goes with the key. */
  close(): void {
    for (const keys of this.#asked) for (const key of keys) this.#limiter.delete(key);
  }
}
