/** Until when nothing is sent to a host, and why. */
import type { Random, Reason } from "../../limits/core/index.ts";

/** Those who receive the same wait don't come back at the same instant: a part of it, and at most so much. */
const SPREAD = 0.1;
const LONGEST_SPREAD = 1000;

/** Until when nothing is sent, and why. */
export type HoldMemory = { readonly said: number; readonly until: number; readonly reason: Reason };

export class Hold {
  readonly #random: Random;
  #said = 0;
  #until = 0;
  #reason: Reason = "limited";

  constructor(random: Random) {
    this.#random = random;
  }

  /** The instant until which it lasts; it may be over. */
  get until(): number {
    return this.#until;
  }

  /** The instant that the server has named, before which nobody comes back. */
  get said(): number {
    return this.#said;
  }

  get reason(): Reason {
    return this.#reason;
  }

  /** A server has said how long; false where nothing is sent for longer already. */
  say(now: number, { wait, reason }: { readonly wait: number; readonly reason: Reason }): boolean {
    const spread = Math.min(LONGEST_SPREAD, wait * SPREAD) * this.#random();
    const until = now + wait + spread;
    this.#said = Math.max(this.#said, now + wait);
    if (until <= this.#until) return false;
    this.#until = until;
    this.#reason = reason;
    return true;
  }

  get memory(): HoldMemory {
    return { said: this.#said, until: this.#until, reason: this.#reason };
  }

  /** What was said since then holds no more. */
  goBackTo({ said, until, reason }: HoldMemory): void {
    this.#said = said;
    this.#until = until;
    this.#reason = reason;
  }

  /** What was said holds no more. */
  end(): void {
    this.#said = 0;
    this.#until = 0;
  }
}
