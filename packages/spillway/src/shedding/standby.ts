import { earliestOf, type QueuedWork } from "./wait-queue.ts";

/** The maximum number of pieces of work on standby: as many as start before new work arrives. */
const MOST = 4;

/**
 * A few pieces of refused work, kept for moments in which there is room after all.
 *
 * The admitted share is an estimate from the past. If it is too low, the process would be idle
 * while work is refused.
 */
export class StandbyQueue<W extends QueuedWork> {
  #all: W[] = [];

  /** The number of pieces of work on standby. */
  get length(): number {
    return this.#all.length;
  }

  /** The earliest deadline; `Infinity` if there is none. */
  get earliest(): number {
    return earliestOf(this.#all);
  }

  /**
   * Adds work. Returns the work that is removed for it, if any: the least important, the oldest of
   * equals.
   */
  add(one: W): W | undefined {
    this.#all.push(one);
    if (this.#all.length <= MOST) return undefined;
    const least = this.#all.reduce((worst, other) => (other.level > worst.level ? other : worst));
    this.remove(least);
    return least;
  }

  /**
   * Removes and returns the most important work, the newest of equals; undefined if there is none.
   */
  takeNext(): W | undefined {
    const [first] = this.#all;
    if (first === undefined) return undefined;
    const most = this.#all.reduce((best, other) => (other.level <= best.level ? other : best));
    this.remove(most);
    return most;
  }

  /** Removes and returns the work that has waited since before an instant. */
  takeBefore(since: number): readonly W[] {
    return this.#take((one) => one.since < since);
  }

  /** Removes and returns the work whose deadline has passed. */
  takeLate(now: number): readonly W[] {
    return this.#take(({ until }) => until <= now);
  }

  #take(isTaken: (one: W) => boolean): readonly W[] {
    const taken = this.#all.filter(isTaken);
    if (taken.length > 0) this.#all = this.#all.filter((one) => !taken.includes(one));
    return taken;
  }

  /** Removes a piece of work. Returns whether it was still there. */
  remove(one: W): boolean {
    const isThere = this.#all.includes(one);
    if (isThere) this.#all = this.#all.filter((other) => other !== one);
    return isThere;
  }
}
