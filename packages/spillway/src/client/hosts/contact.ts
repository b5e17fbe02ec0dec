import type { RequestStart } from "../pace/request-starts.ts";

/** When something was last sent to a host, or heard from it. Instants are those of the scheduler's clock. */
export class Contact {
  /** Milliseconds without contact after which one request is sent, whatever was said. */
  readonly #longest: number;
  #last: number;
  /** When something was sent after so long without contact that what is known may be wrong. */
  #probe = Number.POSITIVE_INFINITY;

  constructor({ now, maxHold }: { readonly now: number; readonly maxHold: number }) {
    this.#last = now;
    this.#longest = maxHold;
  }

  /** One request is sent then, whatever was said. */
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

  /** Whether what was sent then was a probe, or came after one; its answer ends the search. */
  answersProbe({ at }: RequestStart): boolean {
    if (at < this.#probe) return false;
    this.#probe = Number.POSITIVE_INFINITY;
    return true;
  }
}
