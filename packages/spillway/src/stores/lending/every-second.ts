import type { Scheduler } from "../../limits/core/index.ts";

const PERIOD = 1000;

/** Checks something once a second, by one timer, for as long as there is something to check. */
export class EverySecond {
  readonly #scheduler: Pick<Scheduler, "afterDelay">;
  readonly #check: () => { readonly isLast: boolean };
  #isRunning = false;

  constructor(scheduler: Pick<Scheduler, "afterDelay">, check: () => { readonly isLast: boolean }) {
    this.#scheduler = scheduler;
    this.#check = check;
  }

  /** To be called whenever there is something. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#scheduler.afterDelay(PERIOD, () => {
      this.#isRunning = false;
      if (!this.#check().isLast) this.start();
    });
  }
}
