import type { Decision, Plan, Random } from "../../limits/core/index.ts";
import { elapsed } from "../../limits/core/index.ts";
import type { Slice } from "./slice.ts";

/** Milliseconds until a store is asked again for what another process may have given back. */
export const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 1000;
/** A pause ends at a multiple of a quarter of it or less, so that many keys ask in one request. */
const TICKS = 4;

/** How long to pause before a store is asked again: soon at first, then more and more rarely. */
export class Pauses {
  readonly #random: Random;
  readonly #slice: Slice | undefined;
  #pause = FIRST_PAUSE;

  /** @param slice Undefined where nobody else wants units, so that no requests are shared with others. */
  constructor(random: Random, slice: Slice | undefined) {
    this.#random = random;
    this.#slice = slice;
  }

  /** Units have come back here: the next pause is short again. */
  restart(): void {
    this.#pause = FIRST_PAUSE;
  }

  /** Milliseconds of the next pause, for the first in line, which was refused with that. */
  next(plan: Plan | undefined, refusal: Decision | undefined): number {
    const most = this.#longest(plan, refusal);
    const pause = Math.min(this.#pause, most) * (1 - this.#random() / 2);
    this.#pause = Math.min(most, this.#pause * 2);
    const rest = this.#slice === undefined ? pause : untilTick(pause);
    return Math.min(rest, refusal?.retryAfter ?? LONGEST_PAUSE);
  }

  /** While units change hands elsewhere, no pause is longer than others rest then. */
  #longest(plan: Plan | undefined, refusal: Decision | undefined): number {
    if (this.#slice === undefined || refusal === undefined || plan === undefined)
      return LONGEST_PAUSE;
    return this.#slice.longestPause(plan.period - refusal.resetAfter);
  }
}

/** Milliseconds until the first tick that is not before a pause is over. Ticks are powers of 2: longer ones are among shorter. */
function untilTick(pause: number): number {
  const tick = 2 ** Math.floor(Math.log2(Math.max(1, pause / TICKS)));
  const now = elapsed();
  return Math.ceil((now + pause) / tick) * tick - now;
}
