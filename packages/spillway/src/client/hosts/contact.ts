import type { RequestStart } from "../pace/request-starts.ts";

/**
 * When a request was last sent to a host, or a response was last received from it. Instants are
 * those of the scheduler's clock.
 */
export class Contact {
  /**
   * Milliseconds without contact after which one request is sent as a probe, even if the server has
   * named a longer wait.
   */
  readonly #longest: number;
  #last: number;
  /** When the latest probe was sent; `Infinity` if none was, or if it has been answered. */
  #probe = Number.POSITIVE_INFINITY;

  constructor({ now, maxHold }: { readonly now: number; readonly maxHold: number }) {
    this.#last = now;
    this.#longest = maxHold;
  }

  /**
   * The instant from which one request may be sent as a probe, even if the server has named a
   * longer wait.
   */
  get probeAt(): number {
    return this.#last + this.#longest;
  }

  sent(now: number): void {
    if (now >= this.probeAt) this.#probe = now;
    this.#last = now;
  }

  heard(now: number): void {
    this.#last = now;
  }

  /**
   * Returns whether a request was a probe, or was sent after one. If so, the probe counts as
   * answered.
   */
  answersProbe({ at }: RequestStart): boolean {
    if (at < this.#probe) return false;
    this.#probe = Number.POSITIVE_INFINITY;
    return true;
  }
}
