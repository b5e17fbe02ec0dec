import type { Later } from "../core/index.ts";

/** Milliseconds that may be but the rounding of fractions; a timer has whole ones. */
const ROUNDING = 0.001;

/** Wakes somebody by an instant: of all that are asked for, the earliest counts. */
export class Wake {
  readonly #later: Pick<Later, "elapsed" | "afterDelay">;
  readonly #call: () => void;
  #next = Number.POSITIVE_INFINITY;

  /** @param call Called once for all that was asked for until then. */
  constructor(later: Pick<Later, "elapsed" | "afterDelay">, call: () => void) {
    this.#later = later;
    this.#call = call;
  }

  /** Calls at an instant, or before. */
  by(instant: number): void {
    if (instant >= this.#next) return;
    this.#next = instant;
    const delay = Math.max(0, Math.ceil(instant - this.#later.elapsed() - ROUNDING));
    this.#later.afterDelay(delay, () => {
      // An earlier one has come between.
      if (this.#next !== instant) return;
      this.#next = Number.POSITIVE_INFINITY;
      this.#call();
    });
  }
}
