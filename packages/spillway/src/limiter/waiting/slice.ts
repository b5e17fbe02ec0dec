import { type Decision, elapsed } from "../../limits/core/index.ts";

/** Milliseconds for which units are handed over inside a process before others get a chance. */
const SHORTEST = 150;
const LONGEST = 2000;

/**
 * Milliseconds for which a process then leaves units to others: the longest pause between two asks of
 * processes that wait while units change hands.
 */
const REST = 100;
const LONGEST_REST = 1000;
/** Of what part of the time for which units did not change hands. */
const PART = 20;
/** Who has got no unit for so many milliseconds asks twice as often, and up to so many times. */
const LONG = 250;
const MOST_TIMES = 6;

/** How many milliseconds others are given, after units have been in the same hands for so long. */
function restAfter(ms: number): number {
  return Math.min(LONGEST_REST, Math.max(REST, ms / PART));
}

/**
 * For how long a process may hand units of one budget over to its own waiters.
 *
 * Who releases a unit knows first that it is free. Without a bound, a process with enough to do would
 * keep all units for itself. So after a while it rests, and others, who ask again and again, find what
 * it releases meanwhile. Where nobody has wanted it, the next slice is longer.
 */
export class Slice {
  #length = SHORTEST;
  /** When the first unit was got since the last rest. All instants are those of `elapsed`. */
  #began: number | undefined;
  #freed = Number.NEGATIVE_INFINITY;
  #restsUntil = 0;
  /** When the last rest ended. */
  #restedUntil = 0;
  #hasRested = false;
  /** When a unit was last got; at first, when one was first wanted. */
  #started = elapsed();
  /** Units that were released here and have not been asked for since. */
  #left = 0;

  /** Milliseconds to wait before the store is asked; 0 to ask it now. */
  rest(): number {
    const now = elapsed();
    if (now < this.#restsUntil) return this.#restsUntil - now;
    if (this.#restsUntil > 0) return this.#restIsOver();
    if (!this.#isHandOver(now) || this.#began === undefined) return 0;
    if (now < this.#began + this.#length) return 0;
    const rest = restAfter(now - this.#began);
    this.#hasRested = true;
    this.#restedUntil = Number.POSITIVE_INFINITY;
    this.#restsUntil = now + rest;
    return rest;
  }

  #restIsOver(): number {
    this.#restedUntil = this.#restsUntil;
    this.#restsUntil = 0;
    this.#began = undefined;
    return 0;
  }

  /**
   * The longest pause between two asks while all units are taken, the newest so many milliseconds ago:
   * no longer than others rest. Who has got none for long asks more often than who had some just now.
   */
  longestPause(ms: number): number {
    const rest = restAfter(ms);
    // Units that are held for long are not looked for more often than once a second.
    if (rest === LONGEST_REST) return rest;
    return rest / Math.min(MOST_TIMES, 1 + (elapsed() - this.#started) / LONG);
  }

  /** Units were released in this process, that were held for so many milliseconds. */
  freed(units: number, ms: number): void {
    const now = elapsed();
    this.#freed = now;
    this.#left += units;
    this.#began = Math.min(this.#began ?? now, now - ms);
  }

  /** The store has answered a request for so many units, made at an instant. */
  answered(
    { ok, remaining }: Decision,
    { units, asked }: { readonly units: number; readonly asked: number },
  ): void {
    const now = elapsed();
    if (ok) this.#started = now;
    if (ok && !this.#isHandOver(now)) this.#began = now;
    else if (ok) this.#began ??= now;
    const isUntouched = ok && remaining + units >= this.#left;
    this.#left = 0;
    // An answer that was under way when the rest began says nothing of what came of it.
    if (!this.#hasRested || asked < this.#restedUntil) return;
    this.#hasRested = false;
    this.#length = isUntouched ? Math.min(LONGEST, this.#length * 2) : SHORTEST;
  }

  /** Whether what is asked for may have been released here just now, so that nobody else knows of it. */
  #isHandOver(now: number): boolean {
    return now < this.#freed + REST;
  }
}
