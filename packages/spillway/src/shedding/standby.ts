import { earliestOf, type QueuedWork } from "./wait-queue.ts";

/** How much is kept at hand: as much as is started before more has come. */
const MOST = 4;

/**
 * A few pieces of refused work, for the moments in which there is room after all.
 *
 * What is let in can only be guessed from what was, and whoever guesses too low would be idle while
 * work is refused.
 */
export class StandbyQueue<W extends QueuedWork> {
  #all: W[] = [];

  /** The number of leases. */
  get length(): number {
    return this.#all.length;
  }

  /** When the first of them is late; Infinity where none can be. */
  get earliest(): number {
    return earliestOf(this.#all);
  }

  /**
   * Adds one; returns the one that has to go for it: the least important, or the oldest of such.
   */
  add(one: W): W | undefined {
    this.#all.push(one);
    if (this.#all.length <= MOST) return undefined;
    const least = this.#all.reduce((worst, other) => (other.level > worst.level ? other : worst));
    this.remove(least);
    return least;
  }

  /** Takes out the most important, or the newest of such. */
  takeNext(): W | undefined {
    const [first] = this.#all;
    if (first === undefined) return undefined;
    const most = this.#all.reduce((best, other) => (other.level <= best.level ? other : best));
    this.remove(most);
    return most;
  }

  /** Takes out those that have waited since before an instant. */
  takeBefore(since: number): readonly W[] {
    return this.#take((one) => one.since < since);
  }

  /** Takes out those for whose answers nobody waits any more. */
  takeLate(now: number): readonly W[] {
    return this.#take(({ until }) => until <= now);
  }

  #take(isTaken: (one: W) => boolean): readonly W[] {
    const taken = this.#all.filter(isTaken);
    if (taken.length > 0) this.#all = this.#all.filter((one) => !taken.includes(one));
    return taken;
  }

  /** Takes out one; returns whether it was still there. */
  remove(one: W): boolean {
    const isThere = this.#all.includes(one);
    if (isThere) this.#all = this.#all.filter((other) => other !== one);
    return isThere;
  }
}
