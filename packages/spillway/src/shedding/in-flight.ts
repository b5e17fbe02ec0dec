/** How long work must be in flight before it can count as held, in milliseconds. */
const LONG = 1000;
/** The number of pieces of work, begun later, that must have ended by then. */
const OVERTAKEN_BY = 30;
/** The time between two pieces that count as held while nothing ends, in milliseconds. */
const PAUSE = 100;

/** The weight of the latest sample in the mean latency. */
const WEIGHT = 1 / 16;

/** A piece of work in flight. */
export type FlightEntry = {
  /** Milliseconds from any starting point. */
  readonly started: number;
  /** The work that had ended when it began, plus the work in flight at that time. */
  readonly before: number;
};

/** When work ended, and whether it was served. Only served work counts for the latency. */
type WorkEnd = { readonly now: number; readonly isServed: boolean };

/**
 * Counts work in flight, without held work: streams, and admissions that are never ended.
 *
 * Work counts as held once it has been in flight for a second and 30 pieces that began later have
 * ended. It must be waiting for something else than they did. If the capacity is reached and
 * nothing has ended for a second, the oldest piece counts as held. Then at most one more does every
 * 100 ms. So streams that began together do not block all other work, and a database that hangs
 * receives little more work.
 */
export class InFlight {
  /** The work that is not held, in the order in which it began. */
  readonly #counted = new Set<FlightEntry>();
  #held = 0;
  #ended = 0;
  #latency = 0;
  /** When work last ended, or was last counted as held. */
  #lastEnd = Number.NEGATIVE_INFINITY;

  /** The amount of work in flight, without held work. */
  get count(): number {
    return this.#counted.size;
  }

  /** The amount of held work. */
  get held(): number {
    return this.#held;
  }

  /** How long served work has recently been in flight, in milliseconds: a moving mean. */
  get latency(): number {
    return this.#latency;
  }

  /** Records that work begins. */
  start(now: number): FlightEntry {
    if (this.#counted.size === 0) this.#lastEnd = now;
    const flight = { started: now, before: this.#ended + this.#counted.size };
    this.#counted.add(flight);
    return flight;
  }

  /** Records that work ended. Returns false if it counted as held; then it is ignored otherwise. */
  end(flight: FlightEntry, { now, isServed }: WorkEnd): boolean {
    if (!this.#counted.delete(flight)) {
      this.#held--;
      return false;
    }
    if (isServed) this.#latency += WEIGHT * (now - flight.started - this.#latency);
    this.#ended++;
    this.#lastEnd = now;
    return true;
  }

  /** Finds work that is held, and stops counting it. `isFull`: the capacity is reached. */
  findHeld(now: number, { isFull }: { readonly isFull: boolean }): void {
    for (const flight of this.#counted) {
      if (now - flight.started < LONG) break;
      if (this.#ended >= flight.before + OVERTAKEN_BY) this.#hold(flight);
    }
    if (isFull && now - this.#lastEnd >= LONG) this.#holdOldest(now);
  }

  #holdOldest(now: number): void {
    const [oldest] = this.#counted;
    if (oldest !== undefined) this.#hold(oldest);
    this.#lastEnd = now - LONG + PAUSE;
  }

  #hold(flight: FlightEntry): void {
    this.#counted.delete(flight);
    this.#held++;
  }
}
