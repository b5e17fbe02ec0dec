import type { Scheduler } from "../limits/core/index.ts";

/**
 * A difference in milliseconds that may be a rounding error of fractions. Timers take whole
 * milliseconds.
 */
const ROUNDING = 0.001;

/**
 * A timer for the earliest of several instants. Keeps the process alive until it fires or is
 * stopped.
 */
export class WakeTimer {
  readonly #scheduler: Pick<Scheduler, "elapsed" | "alarm">;
  readonly #call: () => void;
  #next = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  /** @param call Called once for all instants set so far. */
  constructor(scheduler: Pick<Scheduler, "elapsed" | "alarm">, call: () => void) {
    this.#scheduler = scheduler;
    this.#call = call;
  }

  /** Calls at this instant, or at an earlier one that is already set. */
  by(instant: number): void {
    if (instant >= this.#next) return;
    this.stop();
    this.#next = instant;
    const delay = Math.max(0, Math.ceil(instant - this.#scheduler.elapsed() - ROUNDING));
    this.#cancel = this.#scheduler.alarm(delay, () => {
      this.stop();
      this.#call();
    });
  }

  /** Clears all instants set so far. */
  stop(): void {
    this.#next = Number.POSITIVE_INFINITY;
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
