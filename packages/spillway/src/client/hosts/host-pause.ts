/** Until when nothing is sent to a host, and why. */
import type { Random, Reason } from "../../limits/core/index.ts";

/** Those who receive the same wait come back spread over a part of it, and at most so much. */
const SPREAD = 0.1;
const LONGEST_SPREAD = 1000;

/** What holds at an instant. */
export type HostPauseSnapshot = {
  /** The instant that the server has named, before which nobody comes back. */
  readonly said: number;
  /** The instant until which nothing is sent; it may be over. */
  readonly until: number;
  readonly reason: Reason;
};

const NOTHING: HostPauseSnapshot = { said: 0, until: 0, reason: "limited" };

export class HostPause {
  readonly #random: Random;
  #memory = NOTHING;

  constructor(random: Random) {
    this.#random = random;
  }

  /** What was said, for `goBackTo`. */
  get memory(): HostPauseSnapshot {
    return this.#memory;
  }

  /** A server has said how long; false where nothing is sent for longer already. */
  say(now: number, { wait, reason }: { readonly wait: number; readonly reason: Reason }): boolean {
    const spread = Math.min(LONGEST_SPREAD, wait * SPREAD) * this.#random();
    const until = now + wait + spread;
    const said = Math.max(this.#memory.said, now + wait);
    const isLonger = until > this.#memory.until;
    this.#memory = isLonger ? { said, until, reason } : { ...this.#memory, said };
    return isLonger;
  }

  /** What was said since then holds no more. */
  goBackTo(memory: HostPauseSnapshot): void {
    this.#memory = memory;
  }

  /** What was said holds no more. */
  end(): void {
    this.#memory = NOTHING;
  }
}
