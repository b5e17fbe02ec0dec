/** Until when nothing is sent to a host, and why. */
import type { Random, Reason } from "../core/index.ts";

/** Those who receive the same wait don't come back at the same instant: a part of it, and at most so much. */
const SPREAD = 0.1;
const LONGEST_SPREAD = 1000;

export class Hold {
  readonly #random: Random;
  #until = 0;
  #reason: Reason = "limited";

  constructor(random: Random) {
    this.#random = random;
  }

  /** The instant until which it lasts; it may be over. */
  get until(): number {
    return this.#until;
  }

  get reason(): Reason {
    return this.#reason;
  }

  /** A server has said how long; false where nothing is sent for longer already. */
  say(now: number, { wait, reason }: { readonly wait: number; readonly reason: Reason }): boolean {
    const spread = Math.min(LONGEST_SPREAD, wait * SPREAD) * this.#random();
    const until = now + wait + spread;
    if (until <= this.#until) return false;
    this.#until = until;
    this.#reason = reason;
    return true;
  }
}
