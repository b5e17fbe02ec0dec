import { RateLimiter } from "spillway";
import type { Asker, Pace, Peer } from "./peer.ts";

/** A token bucket in a memory store. Its answers are returned, so nothing is awaited. */
export const spillway: Peer = {
  name: "spillway",
  open: (pace) => new SpillwayAsker(pace),
};

class SpillwayAsker implements Asker {
  readonly #limiter;

  constructor({ rate, period }: Pace) {
    this.#limiter = new RateLimiter({ ask: { kind: "token bucket", rate, period } });
  }

  ask(keys: readonly string[]): number {
    let admitted = 0;
    for (const key of keys) if (this.#limiter.limit("ask", { key }).ok) admitted++;
    return admitted;
  }

  close(): void {}
}
