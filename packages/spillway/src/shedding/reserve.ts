/** Something that there is no room for, unless nothing else waits. */
export type Spare = {
  /** The lower, the more it matters. */
  readonly level: number;
  /** Since when it waits, in milliseconds from any beginning. */
  readonly since: number;
};

/** How much is kept at hand: as much as is started before more has come. */
const MOST = 4;

/**
 * A few pieces of work for which there is no room, for the moments in which there is: what is let in
 * can only be guessed from what was, and whoever guesses too low would be idle while work is refused.
 */
export class Reserve<S extends Spare> {
  #all: S[] = [];

  /** Adds one; returns the one that has to go for it: the least important, or the oldest of such. */
  add(one: S): S | undefined {
    this.#all.push(one);
    if (this.#all.length <= MOST) return undefined;
    const least = this.#all.reduce((worst, other) => (other.level > worst.level ? other : worst));
    this.#remove(least);
    return least;
  }

  /** Takes the most important, or the newest of such. */
  take(): S | undefined {
    const [first] = this.#all;
    if (first === undefined) return undefined;
    const most = this.#all.reduce((best, other) => (other.level <= best.level ? other : best));
    this.#remove(most);
    return most;
  }

  /** Takes those that have waited since before an instant. */
  before(since: number): readonly S[] {
    const old = this.#all.filter((one) => one.since < since);
    if (old.length > 0) this.#all = this.#all.filter((one) => one.since >= since);
    return old;
  }

  /** How many there are. */
  get length(): number {
    return this.#all.length;
  }

  #remove(one: S): void {
    this.#all = this.#all.filter((other) => other !== one);
  }
}
