/** What a lease holds, and until when. */
export type LeaseRecord = {
  /** Tells it from all other leases: a whole number from 0 to 2⁵³ − 1, drawn by whoever asks. */
  readonly id: number;
  readonly units: number;
  /** The instant at which it is forgotten, in milliseconds since 1970. */
  readonly until: number;
};

/** Leases in the order in which they are forgotten. */
export class Leases {
  readonly #all = new Map<number, LeaseRecord>();
  #changes = 0;

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  /** How often they have been changed since they were made. */
  get changes(): number {
    return this.#changes;
  }

  /** From the one that is forgotten first. */
  [Symbol.iterator](): IterableIterator<LeaseRecord> {
    return this.#all.values();
  }

  /** Adds one that is forgotten no sooner than the others; units of one that is there are added. */
  add({ id, units, until }: LeaseRecord): void {
    const more = this.remove(id)?.units ?? 0;
    this.#changes++;
    this.#all.set(id, { id, units: units + more, until });
  }

  /** Removes one, and returns it; undefined where there is none. */
  remove(id: number): LeaseRecord | undefined {
    const lent = this.#all.get(id);
    if (this.#all.delete(id)) this.#changes++;
    return lent;
  }

  /** The lease with an id. */
  find(id: number): LeaseRecord | undefined {
    return this.#all.get(id);
  }

  /** Lets none of them last beyond an instant. */
  shorten(until: number): void {
    this.#change((lent) => ({ ...lent, until: Math.min(lent.until, until) }));
  }

  /** Moves every instant back. */
  rewind(ms: number): void {
    this.#change((lent) => ({ ...lent, until: lent.until - ms }));
  }

  /** Leases of their own that say the same. */
  copy(): Leases {
    const copy = new Leases();
    for (const lent of this) copy.#all.set(lent.id, lent);
    return copy;
  }

  #change(next: (lent: LeaseRecord) => LeaseRecord): void {
    this.#changes++;
    for (const [id, lent] of this.#all) this.#all.set(id, next(lent));
  }
}
