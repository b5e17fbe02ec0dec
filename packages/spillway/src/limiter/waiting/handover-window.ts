import { type Decision, elapsed } from "../../limits/core/index.ts";

/**
 * The shortest and the longest time for handing units over within a process, in milliseconds.
 *
 * After that time, other processes get a chance.
 */
const SHORTEST = 150;
const LONGEST = 2000;

/**
 * The shortest and the longest time for which a process then leaves units to others, in
 * milliseconds.
 *
 * The shortest is also the longest pause between two requests of a waiting process while units
 * change hands.
 */
const REST = 100;
const LONGEST_REST = 1000;
/** A process rests for 1/20 of the time for which it kept the units. */
const PART = 20;
/**
 * After this many milliseconds without a unit, a process asks twice as often; later up to
 * `MOST_TIMES` times as often as at first.
 */
const LONG = 250;
const MOST_TIMES = 6;

/**
 * Returns the length of a rest in milliseconds, after this process has kept the units for `ms`.
 */
function restAfter(ms: number): number {
  return Math.min(LONGEST_REST, Math.max(REST, ms / PART));
}

/**
 * How long a process may hand units of one budget over to its own waiters.
 *
 * The process that releases a unit is the first to know that it is free. Without a bound, a process
 * with enough work would keep all units. So it rests from time to time: for a moment it does not
 * ask the store. Other processes, which ask repeatedly, then find the units that it releases. If
 * none of them wanted a unit, the process may hand units over for longer the next time.
 */
export class HandoverWindow {
  #length = SHORTEST;
  /**
   * When the first unit since the last rest was received. All instants are by the clock `elapsed`.
   */
  #began: number | undefined;
  #freed = Number.NEGATIVE_INFINITY;
  #restsUntil = 0;
  /** When the last rest ended. */
  #restedUntil = 0;
  #hasRested = false;
  /** When a unit was last received; before that, when one was first wanted. */
  #started = elapsed();
  /** Units released here and not asked for since. */
  #left = 0;

  /** Returns the milliseconds to wait before asking the store; 0 to ask now. */
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
   * Returns the longest pause between two requests while all units are taken, the newest `ms` ago.
   *
   * It is no longer than other processes rest. A process that has had no unit for a long time asks
   * more often than one that just had some.
   */
  longestPause(ms: number): number {
    const rest = restAfter(ms);
    // For units that are held for a long time, one request a second is enough.
    if (rest === LONGEST_REST) return rest;
    return rest / Math.min(MOST_TIMES, 1 + (elapsed() - this.#started) / LONG);
  }

  /** Called when units were released in this process that had been held for `ms` milliseconds. */
  freed(units: number, ms: number): void {
    const now = elapsed();
    this.#freed = now;
    this.#left += units;
    this.#began = Math.min(this.#began ?? now, now - ms);
  }

  /** Called when the store has answered a request for `units`, sent at `asked`. */
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
    // An answer to a request sent before the rest was over can't show whether others took units
    // during it.
    if (!this.#hasRested || asked < this.#restedUntil) return;
    this.#hasRested = false;
    this.#length = isUntouched ? Math.min(LONGEST, this.#length * 2) : SHORTEST;
  }

  /**
   * Whether the wanted units may have been released here just now, so that no other process knows
   * of them.
   */
  #isHandOver(now: number): boolean {
    return now < this.#freed + REST;
  }
}
