/** Spreads work of many steps over several turns of the event loop. */
import type { Scheduler } from "../limits/core/index.ts";
import { systemScheduler } from "./system-scheduler.ts";

/** The maximum number of steps in one turn of the event loop. */
const MOST_IN_TURN = 250;

/**
 * Executes work of many steps in slices.
 *
 * After a number of steps in one turn of the event loop, other work runs before more steps do.
 */
export class Slices {
  readonly #scheduler: Pick<Scheduler, "afterTurn">;
  #left = MOST_IN_TURN;
  /** The postponed steps, and how many of them have been taken since. */
  #putOff: (() => void)[] = [];
  #taken = 0;

  constructor(scheduler: Pick<Scheduler, "afterTurn"> = systemScheduler) {
    this.#scheduler = scheduler;
  }

  /** Whether a step may be taken now. If not, `step` is called in a later turn. */
  permits(step: () => void): boolean {
    if (this.#left === MOST_IN_TURN) this.#scheduler.afterTurn(this.#nextTurn);
    if (this.#left > 0) {
      this.#left--;
      return true;
    }
    this.#putOff.push(step);
    return false;
  }

  readonly #nextTurn = (): void => {
    this.#left = MOST_IN_TURN;
    while (this.#left > 0 && this.#taken < this.#putOff.length) {
      this.#left--;
      this.#putOff[this.#taken++]?.();
    }
    if (this.#left < MOST_IN_TURN) this.#scheduler.afterTurn(this.#nextTurn);
    if (this.#taken === this.#putOff.length) [this.#putOff, this.#taken] = [[], 0];
  };
}
