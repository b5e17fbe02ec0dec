/** Computes when the next request may be sent, at a rate that changes all the time. */
import type { SendRate } from "./send-rate.ts";

/** Milliseconds by which timers may be late. Requests delayed by late timers are caught up on. */
const LATE = 20;
/** A credit that is short of 1 by this much, because numbers are rounded, counts as 1. */
const ROUNDING = 1e-9;

/** Earns credit to send requests, at the rate that is allowed. A request costs 1. */
export class SendCredit {
  #credit: number;
  #at: number;

  /**
   * @param start The credit at the beginning, from 0 to 1. It is random, so that not all processes
   * send at the same instant.
   */
  constructor(now: number, start: number) {
    this.#credit = start;
    this.#at = now;
  }

  /**
   * Returns the milliseconds until a request may be sent; 0 if it may be sent now. Adds the credit
   * earned since the last call.
   */
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
    // At a rate of 0 no credit is earned before `from`.
    return Math.max(0, from - now) + (missing === 0 || rate === 0 ? 0 : missing / rate);
  }

  spend(): void {
    this.#credit = Math.max(0, this.#credit - 1);
  }
}
