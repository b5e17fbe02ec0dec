/** How long work has been in flight, in milliseconds, before it can be taken for a stream. */
const LONG = 1000;
/** How much that began after it has to have ended by then. */
const OVERTAKEN_BY = 30;
/** How often one is, in milliseconds, where nothing ends at all. */
const PAUSE = 100;

/** How much the latest counts in the usual latency. */
const WEIGHT = 1 / 16;

/** A piece of work in flight. */
export type FlightEntry = {
  /** Milliseconds from any beginning. */
  readonly started: number;
  /** How much had ended when it began, and was in flight then. */
  readonly before: number;
};

/** When work has ended, and whether its time says anything. */
type WorkEnd = { readonly now: number; readonly isServed: boolean };

/**
 * What is in flight, apart from what is only held open: streams, and admissions that nobody ends.
 *
 * Work is taken for held once it has been in flight for a second and 30 pieces that began after it
 * have ended: what it waits for is not what they waited for. And where as much is in flight as may
 * be, and nothing has ended for a second, the oldest is, one every tenth of a second at most: so
 * streams that began together shut nobody out, and a database that hangs gets little more to do.
 */
export class InFlight {
  /** In the order in which they began. */
  readonly #counted = new Set<FlightEntry>();
  #held = 0;
  #ended = 0;
  #latency = 0;
  /** When something has ended, or was taken for held, for the last time. */
  #lastEnd = Number.NEGATIVE_INFINITY;

  /** How much is in flight, without what is held. */
  get count(): number {
    return this.#counted.size;
  }

  /** Returns how much is held. */
  get held(): number {
    return this.#held;
  }

  /** How long work that was served is in flight lately, in milliseconds: a moving mean. */
  get latency(): number {
    return this.#latency;
  }

  /** Something begins. */
  start(now: number): FlightEntry {
    if (this.#counted.size === 0) this.#lastEnd = now;
    const flight = { started: now, before: this.#ended + this.#counted.size };
    this.#counted.add(flight);
    return flight;
  }

  /** It has ended; returns whether it was counted until now. What was held says nothing. */
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

  /** Takes for held what is; `isFull` is whether as much is in flight as may be. */
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
