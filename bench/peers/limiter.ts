import { RateLimiter } from "limiter";
import type { Asker, Pace, Peer } from "./peer.ts";

/** One `RateLimiter` a key, in a map: it knows no keys itself. */
export const limiter: Peer = {
  name: "limiter",
  open: (pace) => new LimiterAsker(pace),
};

class LimiterAsker implements Asker {
  readonly #limiters = new Map<string, RateLimiter>();
  readonly #pace: Pace;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  ask(keys: readonly string[]): number {
    let admitted = 0;
    for (const key of keys) if (this.#of(key).tryRemoveTokens(1)) admitted++;
    return admitted;
  }

  #of(key: string): RateLimiter {
    let limiter = this.#limiters.get(key);
    if (limiter === undefined) {
      const { rate, period } = this.#pace;
      limiter = new RateLimiter({ tokensPerInterval: rate, interval: period });
      this.#limiters.set(key, limiter);
    }
    return limiter;
  }

  close(): void {}
}
