/** When the next request may be sent at a rate that changes all the time. */
import type { SendRate } from "./send-rate.ts";

/** Timers are late by some milliseconds; what was missed by them is made up for. */
const LATE = 20;
/** What is missing of a whole by the rounding of numbers is none of it. */
const ROUNDING = 1e-9;

/** Earns the right to send one request by and by, as fast as it is allowed to. */
export class SendCredit {
  #credit: number;
  #at: number;

  /** @param start From 0 to 1: chosen at random, so that not all processes send at the same instant. */
  constructor(now: number, start: number) {
    this.#credit = start;
    this.#at = now;
  }

  /** Milliseconds until a request may be sent; 0: now. */
  wait(now: number, { rate, from }: SendRate): number {
    const since = Math.max(this.#at, from);
    if (rate === Number.POSITIVE_INFINITY) this.#credit = Math.max(1, this.#credit);
    else if (now > since) {
      const most = Math.max(1, rate * LATE);
      this.#credit = Math.min(most, this.#credit + (now - since) * rate);
    }
    this.#at = Math.max(now, this.#at);
    if (now >= from && this.#credit >= 1 - ROUNDING) return 0;
    const missing = Math.max(0, 1 - this.#credit);
    // At a rate of 0 there is nothing to count on before `from`.
    return Math.max(0, from - now) + (missing === 0 || rate === 0 ? 0 : missing / rate);
  }

  spend(): void {
    this.#credit = Math.max(0, this.#credit - 1);
  }
}
