import type { Scheduler } from "../limits/core/index.ts";

/** Milliseconds that may be but the rounding of fractions; a timer has whole ones. */
const ROUNDING = 0.001;

/**
 * Wakes somebody by an instant: of all that are asked for, the earliest counts. Keeps the process
 * alive until then, or until it is stopped.
 */
export class WakeTimer {
  readonly #scheduler: Pick<Scheduler, "elapsed" | "alarm">;
  readonly #call: () => void;
  #next = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  /** @param call Called once for all that was asked for until then. */
  constructor(scheduler: Pick<Scheduler, "elapsed" | "alarm">, call: () => void) {
    this.#scheduler = scheduler;
    this.#call = call;
  }

  /** Calls at an instant, or before. */
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

  /** Calls nobody for what was asked for until now. */
  stop(): void {
    this.#next = Number.POSITIVE_INFINITY;
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
