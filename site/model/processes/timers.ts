/** Timers on a manual clock, for what the library does by itself, such as giving units back. */
import type { ManualClock } from "spillway/testing";

type Timer = { readonly at: number; readonly call: () => void };

export class Timers {
  readonly #clock: ManualClock;
  readonly #origin: number;
  /** The latest first. */
  readonly #timers: Timer[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
    this.#origin = clock();
  }

  /** Milliseconds from the beginning. */
  readonly elapsed = (): number => this.#clock() - this.#origin;

  readonly afterDelay = (ms: number, call: () => void): void => {
    const at = this.elapsed() + ms;
    const later = this.#timers.findIndex((timer) => timer.at <= at);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, { at, call });
  };

  /** Moves the clock to an instant, and calls what is due on the way, the earliest first. */
  goTo(at: number): void {
    for (let next = this.#timers.at(-1); next && next.at <= at; next = this.#timers.at(-1)) {
      this.#timers.pop();
      this.#clock.set(this.#origin + Math.max(this.elapsed(), next.at));
      next.call();
    }
    this.#clock.set(this.#origin + at);
  }
}
