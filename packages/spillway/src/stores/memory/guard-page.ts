/** Bits of an entry that hold its end. The other 14 hold a fingerprint. */
const TIME_BITS = 18;
const TIMES = 2 ** TIME_BITS;
const TIME_MASK = TIMES - 1;
/** The time of an entry that never ends. */
const FOREVER = TIME_MASK;
/** The longest refusal that ends, in milliseconds: nearly nine years. Longer ones never end. */
const LONGEST = 2 ** 38;

/** Entries in a bucket. */
const BUCKET = 16;
/** The wildcard: an entry with this fingerprint refuses every budget of its bucket. */
const ANYBODY = 0;

/** The number of different fingerprints. They count from 1. */
export const FINGERPRINTS = 2 ** (32 - TIME_BITS) - 1;

/** The fingerprint of a budget, and the two buckets that may contain it. */
export type Fingerprint = {
  readonly fingerprint: number;
  readonly buckets: readonly [number, number];
};

/**
 * Refusals and their ends, in 4 bytes each: a fingerprint of 14 bits, and an instant of 18 bits.
 *
 * Instants are counted in a unit of a power of two of milliseconds, rounded up: 32 ms if the
 * longest refusal ends in an hour. An entry goes into the emptier of two buckets of 16. So nearly
 * all entries are used before both buckets of a fingerprint are full. Then one entry of these
 * buckets becomes a wildcard, which refuses every budget of its bucket.
 */
export class GuardPage {
  readonly #entries: Uint32Array;
  /**
   * The instant that times are counted from, in milliseconds since 1970. `#unit` is in
   * milliseconds.
   */
  #base = 0;
  #unit = 1;

  constructor(buckets: number) {
    this.#entries = new Uint32Array(buckets * BUCKET);
  }

  /** The size of all entries, in bytes. */
  get bytes(): number {
    return this.#entries.byteLength;
  }

  /**
   * Returns the instant until which a fingerprint is refused: `now` if it is not, `Infinity` if for
   * ever.
   */
  refusedUntil({ fingerprint, buckets }: Fingerprint, now: number): number {
    let latest = 0;
    for (const bucket of buckets) {
      for (let at = bucket * BUCKET; at < (bucket + 1) * BUCKET; at++) {
        const entry = this.#entries[at] as number;
        const whose = entry >>> TIME_BITS;
        if (whose === fingerprint || whose === ANYBODY)
          latest = Math.max(latest, entry & TIME_MASK);
      }
    }
    return latest > this.#overAt(now) ? this.#instantOf(latest) : now;
  }

  /** Refuses a fingerprint at least until an instant. */
  refuse(until: number, mark: Fingerprint, now: number): void {
    const isEndless = until - now > LONGEST;
    if (!isEndless && this.#timeAt(until) >= FOREVER) this.#rewrite(until, now);
    const time = isEndless ? FOREVER : this.#timeAt(until);
    const known = this.#placeOf(mark, now);
    if (known !== undefined) this.#raise(known, time);
    else this.#add(time, mark, now);
  }

  /** Moves all instants back, after the clock stepped back. */
  rewind(ms: number): void {
    this.#base -= ms;
  }

  /** Returns an instant in units, rounded up; `FOREVER` or more if it does not fit. */
  #timeAt(until: number): number {
    return Math.max(1, Math.ceil((until - this.#base) / this.#unit));
  }

  /**
   * Returns the latest time that has ended. Unused entries have the time 0, which has always ended.
   */
  #overAt(now: number): number {
    const time = Math.floor((now - this.#base) / this.#unit);
    return Math.max(0, Math.min(FOREVER - 1, time));
  }

  #instantOf(time: number): number {
    return time === FOREVER ? Number.POSITIVE_INFINITY : this.#base + time * this.#unit;
  }

  /** Returns the index of a fingerprint's entry that has not ended; undefined if there is none. */
  #placeOf({ fingerprint, buckets }: Fingerprint, now: number): number | undefined {
    const over = this.#overAt(now);
    for (const bucket of buckets) {
      for (let at = bucket * BUCKET; at < (bucket + 1) * BUCKET; at++) {
        const entry = this.#entries[at] as number;
        if (entry >>> TIME_BITS === fingerprint && (entry & TIME_MASK) > over) return at;
      }
    }
    return undefined;
  }

  #raise(at: number, time: number): void {
    const entry = this.#entries[at] as number;
    if ((entry & TIME_MASK) < time) this.#entries[at] = entry - (entry & TIME_MASK) + time;
  }

  /** Adds an entry to the bucket with more room. If both are full, one entry becomes a wildcard. */
  #add(time: number, { fingerprint, buckets: [one, other] }: Fingerprint, now: number): void {
    const [first, second] = [this.#room(one, now), this.#room(other, now)];
    const { free, soonest } = first.room >= second.room ? first : second;
    if (free !== undefined) {
      this.#entries[free] = fingerprint * TIMES + time;
      return;
    }
    const everybodys = this.#placeOf({ fingerprint: ANYBODY, buckets: [one, other] }, now);
    const at = everybodys ?? soonest;
    this.#raise(at, time);
    this.#entries[at] = (this.#entries[at] as number) & TIME_MASK;
  }

  /**
   * Returns how many entries of a bucket are free, one of these, and the entry that ends first.
   * Entries are given as indexes.
   */
  #room(bucket: number, now: number) {
    const over = this.#overAt(now);
    let room = 0;
    let free: number | undefined;
    let soonest = bucket * BUCKET;
    for (let at = bucket * BUCKET; at < (bucket + 1) * BUCKET; at++) {
      const time = (this.#entries[at] as number) & TIME_MASK;
      if (time <= over) [room, free] = [room + 1, at];
      if (time < ((this.#entries[soonest] as number) & TIME_MASK)) soonest = at;
    }
    return { room, free, soonest };
  }

  /**
   * Rewrites all entries from `now` on, in a unit in which `until` takes at most half of the range.
   */
  #rewrite(until: number, now: number): void {
    const instants = Array.from(this.#entries, (entry) => this.#instantOf(entry & TIME_MASK));
    const finite = [until, ...instants].filter((instant) => instant - now <= LONGEST);
    const longest = finite.reduce((most, instant) => Math.max(most, instant), now + 1) - now;
    this.#unit = 2 ** Math.max(0, Math.ceil(Math.log2(longest / (TIMES / 2))));
    // The base is a multiple of the unit. So instants are not rounded up again at each rewrite.
    this.#base = Math.floor(now / this.#unit) * this.#unit;
    for (const [at, instant] of instants.entries()) {
      const fingerprint = (this.#entries[at] as number) >>> TIME_BITS;
      const time = instant <= now ? 0 : Math.min(FOREVER, this.#timeAt(instant));
      this.#entries[at] = time === 0 ? 0 : fingerprint * TIMES + time;
    }
  }
}
