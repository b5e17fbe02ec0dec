import type { Decision, Plan, Random } from "../../limits/core/index.ts";
import { elapsed } from "../../limits/core/index.ts";
import type { HandoverWindow } from "./handover-window.ts";
import { FIRST_PAUSE } from "./turn-away.ts";

const LONGEST_PAUSE = 1000;
/**
 * A pause ends at a multiple of a quarter of its length or less. So several keys can ask in one
 * request.
 */
const TICKS = 4;

/** The pauses before a store is asked again: short at first, then longer each time. */
export class Pauses {
  readonly #random: Random;
  readonly #handover: HandoverWindow | undefined;
  #pause = FIRST_PAUSE;

  /**
   * @param handover Undefined if no other process uses the units. Then no keys need to share a
   * request.
   */
  constructor(random: Random, handover: HandoverWindow | undefined) {
    this.#random = random;
    this.#handover = handover;
  }

  /** Makes the next pause short again, because units were released in this process. */
  restart(): void {
    this.#pause = FIRST_PAUSE;
  }

  /**
   * Returns the next pause in milliseconds. The arguments are the first waiter's plan and last
   * refusal.
   */
  next(plan: Plan | undefined, refusal: Decision | undefined): number {
    const most = this.#longest(plan, refusal);
    const pause = Math.min(this.#pause, most) * (1 - this.#random() / 2);
    this.#pause = Math.min(most, this.#pause * 2);
    const rest = this.#handover === undefined ? pause : msUntilTick(pause);
    return Math.min(rest, refusal?.retryAfter ?? LONGEST_PAUSE);
  }

  /**
   * Returns the longest pause. While units change hands in other processes, it is no longer than
   * these rest.
   */
  #longest(plan: Plan | undefined, refusal: Decision | undefined): number {
    if (this.#handover === undefined || refusal === undefined || plan === undefined)
      return LONGEST_PAUSE;
    return this.#handover.longestPause(plan.period - refusal.resetAfter);
  }
}

/**
 * Returns the milliseconds until the first tick at or after the end of a pause.
 *
 * Ticks are multiples of powers of 2, so each longer tick is also a shorter one.
 */
function msUntilTick(pause: number): number {
  const tick = 2 ** Math.floor(Math.log2(Math.max(1, pause / TICKS)));
  const now = elapsed();
  return Math.ceil((now + pause) / tick) * tick - now;
}
