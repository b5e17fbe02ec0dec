/** Until when nothing is sent to a host, and why. */
import type { Random, Reason } from "../../limits/core/index.ts";

/**
 * The random addition to a wait, as a fraction of the wait and at most in milliseconds, so that
 * clients that receive the same wait do not return together.
 */
const SPREAD = 0.1;
const LONGEST_SPREAD = 1000;

/** The pause as of an instant. */
export type HostPauseSnapshot = {
  /**
   * The latest instant that the server has named, without the random addition; may be in the past.
   */
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

  /** Returns a snapshot for `goBackTo`. */
  get memory(): HostPauseSnapshot {
    return this.#memory;
  }

  /**
   * Records a wait that a server has named, in milliseconds. Returns false if the pause already
   * lasts as long, or longer.
   */
  say(now: number, { wait, reason }: { readonly wait: number; readonly reason: Reason }): boolean {
    const spread = Math.min(LONGEST_SPREAD, wait * SPREAD) * this.#random();
    const until = now + wait + spread;
    const said = Math.max(this.#memory.said, now + wait);
    const isLonger = until > this.#memory.until;
    this.#memory = isLonger ? { said, until, reason } : { ...this.#memory, said };
    return isLonger;
  }

  /** Restores a snapshot: forgets the waits that were named since. */
  goBackTo(memory: HostPauseSnapshot): void {
    this.#memory = memory;
  }

  /** Ends the pause: forgets all waits that were named. */
  end(): void {
    this.#memory = NOTHING;
  }
}
