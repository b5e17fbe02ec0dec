/** Bits of an entry that say until when; the others are a fingerprint. */
const TIME_BITS = 18;
const TIMES = 2 ** TIME_BITS;
const TIME_MASK = TIMES - 1;
/** The time of what is refused for ever. */
const FOREVER = TIME_MASK;
/** What is refused for longer, nearly nine years, is refused for ever. */
const LONGEST = 2 ** 38;

/** Entries in a bucket. */
const BUCKET = 16;
/** The fingerprint that is everybody's. */
const ANYBODY = 0;

/** How many different fingerprints there are; they count from 1. */
export const FINGERPRINTS = 2 ** (32 - TIME_BITS) - 1;

/** Where a budget is, and how it is distinguished there. */
export type Fingerprint = {
  readonly fingerprint: number;
  readonly buckets: readonly [number, number];
};

/**
 * Who is refused until when, in 4 bytes each: a fingerprint of 14 bits, and an instant of 18.
 *
 * Instants are kept in units of a power of two of milliseconds, rounded up: 32 ms where the longest
 * is an hour away. An entry is in the emptier of two buckets of 16, so that nearly all entries can be in
 * use before a bucket is full. Where both are, one of them refuses everybody from then on.
 */
export class GuardPage {
  readonly #entries: Uint32Array;
  /** The instant that times count from, and their unit, in milliseconds. */
  #base = 0;
  #unit = 1;

  constructor(buckets: number) {
    this.#entries = new Uint32Array(buckets * BUCKET);
  }

  /** The size of all entries, in bytes. */
  get bytes(): number {
    return this.#entries.byteLength;
  }

  /** The instant until which a mark is refused, `Infinity` for ever; not after `now` if it is not. */
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

  /** Refuses a mark until an instant, or longer. */
  refuse(until: number, mark: Fingerprint, now: number): void {
    const isEndless = until - now > LONGEST;
    if (!isEndless && this.#timeAt(until) >= FOREVER) this.#rewrite(until, now);
    const time = isEndless ? FOREVER : this.#timeAt(until);
    const known = this.#placeOf(mark, now);
    if (known !== undefined) this.#raise(known, time);
    else this.#add(time, mark, now);
  }

  /** Takes all instants back, with a clock that went back. */
  rewind(ms: number): void {
    this.#base -= ms;
  }

  /** The time of an instant, rounded up; `FOREVER` or more where it does not fit. */
  #timeAt(until: number): number {
    return Math.max(1, Math.ceil((until - this.#base) / this.#unit));
  }

  /** Times up to this are over; 0, that of an entry which is not in use, always is. */
  #overAt(now: number): number {
    const time = Math.floor((now - this.#base) / this.#unit);
    return Math.max(0, Math.min(FOREVER - 1, time));
  }

  #instantOf(time: number): number {
    return time === FOREVER ? Number.POSITIVE_INFINITY : this.#base + time * this.#unit;
  }

  /** The entry of a mark that is being refused. */
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

  /** In the bucket that has more room; where neither has, one of a bucket's entries becomes everybody's. */
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

  /** How many entries of a bucket are free, one of them, and the one that is over soonest. */
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

  /** Counts times from now on, in a unit in which an instant fits with as much again to spare. */
  #rewrite(until: number, now: number): void {
    const instants = Array.from(this.#entries, (entry) => this.#instantOf(entry & TIME_MASK));
    const finite = [until, ...instants].filter((instant) => instant - now <= LONGEST);
    const longest = finite.reduce((most, instant) => Math.max(most, instant), now + 1) - now;
    this.#unit = 2 ** Math.max(0, Math.ceil(Math.log2(longest / (TIMES / 2))));
    // Instants that are multiples of the unit stay as they are, however often they are written.
    this.#base = Math.floor(now / this.#unit) * this.#unit;
    for (const [at, instant] of instants.entries()) {
      const fingerprint = (this.#entries[at] as number) >>> TIME_BITS;
      const time = instant <= now ? 0 : Math.min(FOREVER, this.#timeAt(instant));
      this.#entries[at] = time === 0 ? 0 : fingerprint * TIMES + time;
    }
  }
}
