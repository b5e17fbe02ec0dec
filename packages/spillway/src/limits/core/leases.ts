import { doubled, RunningSums } from "./running-sums.ts";

/** A lease: its units, and the instant of its expiry. */
export type LeaseRecord = {
  /**
   * Distinguishes it from all other leases: a whole number from 0 to 2⁵³ − 1, drawn at random by
   * the caller.
   */
  readonly id: number;
  readonly units: number;
  /** The instant of its expiry, in milliseconds since 1970. */
  readonly until: number;
};

/** The id in an empty slot. */
const EMPTY = -1;
/** The number of empty slots allowed beyond the number of used ones. */
const SPARE = 8;
/**
 * Up to this many slots are searched one by one for an id, because a map would take more memory
 * than everything else.
 */
const FEW = 16;
/**
 * The number of searches among many slots before a map is built, which costs as much as a few of
 * them.
 */
const FIRST_LOOKS = 8;
/** Numbers for each lease in `toNumbers`. */
const WIDTH = 3;
/** Free slots after reading: a command adds or renews one lease. */
const ROOM = 4;

/**
 * Leases in the order of their expiry.
 *
 * Each lease has a slot in an array, and a removed lease leaves an empty slot. The instants stay
 * sorted, so a search takes a number of steps that grows with the logarithm of their number. Once
 * more slots are empty than used, the array is rebuilt.
 */
export class Leases {
  /** The slot of each lease by its id, once there are more than a few slots. */
  #places: Map<number, number> | undefined;
  #ids: number[] = [];
  #untils: number[] = [];
  #units = new RunningSums();
  /** All slots before this one are empty. */
  #first = 0;
  /** The number of slots; the arrays may be longer. */
  #end = 0;
  #size = 0;
  #changes = 0;
  /** Searches among many slots so far, without a map. */
  #looks = 0;

  /** Reads the result of `toNumbers`. Ids must be unique, and leases ordered by expiry. */
  static from(numbers: ArrayLike<number>): Leases {
    const leases = new Leases();
    const size = numbers.length / WIDTH;
    const row = () => new Array<number>(size + ROOM).fill(0);
    const [ids, units, untils] = [row(), row(), row()];
    for (let place = 0; place < size; place++) {
      ids[place] = numbers[place * WIDTH] as number;
      units[place] = numbers[place * WIDTH + 1] as number;
      untils[place] = numbers[place * WIDTH + 2] as number;
    }
    [leases.#ids, leases.#untils] = [ids, untils];
    leases.#units = RunningSums.of(units, size);
    [leases.#end, leases.#size] = [size, size];
    return leases;
  }

  /** Returns the id, the units and the expiry of each lease. */
  toNumbers(): Float64Array {
    const numbers = new Float64Array(this.#size * WIDTH);
    let cell = 0;
    for (let place = this.#first; place < this.#end; place++) {
      if (this.#ids[place] === EMPTY) continue;
      numbers[cell++] = this.#ids[place] as number;
      numbers[cell++] = this.#units.at(place);
      numbers[cell++] = this.#untils[place] as number;
    }
    return numbers;
  }

  /** The number of leases. */
  get size(): number {
    return this.#size;
  }

  /** The units of all leases. */
  get units(): number {
    return this.#units.ofFirst(this.#end);
  }

  /** The expiry of the last lease; 0 if there is none. */
  get lastUntil(): number {
    return this.#size === 0 ? 0 : (this.#untils[this.#end - 1] as number);
  }

  /** The number of changes since creation. */
  get changes(): number {
    return this.#changes;
  }

  /** Iterates in the order of expiry. */
  *[Symbol.iterator](): IterableIterator<LeaseRecord> {
    for (let place = this.#first; place < this.#end; place++) {
      if (this.#ids[place] !== EMPTY) yield this.#at(place);
    }
  }

  /**
   * Adds a lease that expires last. The units of an existing lease with the same id are added to
   * it.
   */
  add({ id, units, until }: LeaseRecord): void {
    const place = this.#placeOf(id);
    const more = place === undefined ? 0 : this.#units.at(place);
    this.#changes++;
    // The id stays in the map, because deleted entries of a map slow down later look-ups.
    if (place !== undefined) this.#empty(place);
    this.#push({ id, units: units + more, until });
    if (place !== undefined) this.#tidy();
  }

  /**
   * Reduces a lease to at most this many units. Returns its former units; 0 if there is no such
   * lease.
   */
  cut(id: number, units: number): number {
    const place = this.#placeOf(id);
    if (place === undefined) return 0;
    const before = this.#units.at(place);
    if (units >= before) return before;
    this.#changes++;
    if (units > 0) this.#units.lower(place, before - units);
    else this.remove(id);
    return before;
  }

  /** Removes a lease and returns it; undefined if there is no such lease. */
  remove(id: number): LeaseRecord | undefined {
    const place = this.#placeOf(id);
    if (place === undefined) return undefined;
    const lease = this.#at(place);
    this.#changes++;
    this.#places?.delete(id);
    this.#empty(place);
    this.#tidy();
    return lease;
  }

  /** Returns the lease with an id. */
  find(id: number): LeaseRecord | undefined {
    const place = this.#placeOf(id);
    return place === undefined ? undefined : this.#at(place);
  }

  /** Returns the units of leases that expire by an instant. */
  unitsUntil(instant: number): number {
    return this.#areAllAfter(instant) ? 0 : this.#units.ofFirst(this.#placeAfter(instant));
  }

  /** Removes leases that expire by an instant, and returns their units. */
  dropUntil(instant: number): number {
    if (this.#areAllAfter(instant)) return 0;
    const next = this.#placeAfter(instant);
    const units = this.#units.ofFirst(next);
    this.#changes++;
    for (; this.#first < next; this.#first++) {
      const id = this.#ids[this.#first] as number;
      if (id === EMPTY) continue;
      this.#places?.delete(id);
      this.#empty(this.#first);
    }
    this.#tidy();
    return units;
  }

  /**
   * Returns the instant by which this many units have expired; Infinity if there are fewer.
   */
  freedBy(units: number): number {
    const place = this.#units.reaching(units);
    return place < this.#end ? (this.#untils[place] as number) : Number.POSITIVE_INFINITY;
  }

  /** Brings every later expiry forward to an instant. */
  shorten(until: number): void {
    this.#changes++;
    for (let place = this.#placeAfter(until); place < this.#end; place++) {
      this.#untils[place] = until;
    }
  }

  /** Moves every instant back. */
  rewind(ms: number): void {
    this.#changes++;
    this.#untils = this.#untils.map((until) => until - ms);
  }

  /** Returns an independent copy. */
  copy(): Leases {
    const copy = new Leases();
    for (const lease of this) copy.#push(lease);
    return copy;
  }

  #at(place: number): LeaseRecord {
    const id = this.#ids[place] as number;
    return { id, units: this.#units.at(place), until: this.#untils[place] as number };
  }

  #areAllAfter(instant: number): boolean {
    return this.#first === this.#end || (this.#untils[this.#first] as number) > instant;
  }

  /** Returns the first slot whose lease expires after an instant. */
  #placeAfter(instant: number): number {
    let [low, high] = [this.#first, this.#end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#untils[middle] as number) <= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #placeOf(id: number): number | undefined {
    if (this.#places !== undefined) return this.#places.get(id);
    if (this.#end - this.#first > FEW && ++this.#looks > FIRST_LOOKS) {
      this.#places = this.#index();
      return this.#places.get(id);
    }
    for (let place = this.#first; place < this.#end; place++) {
      if (this.#ids[place] === id) return place;
    }
    return undefined;
  }

  #push({ id, units, until }: LeaseRecord): void {
    if (this.#end === this.#ids.length) {
      [this.#ids, this.#untils] = [doubled(this.#ids), doubled(this.#untils)];
    }
    this.#ids[this.#end] = id;
    this.#untils[this.#end] = until;
    this.#units.push(units);
    this.#places?.set(id, this.#end);
    this.#end++;
    this.#size++;
  }

  /** Returns the slots by id. */
  #index(): Map<number, number> {
    const places = new Map<number, number>();
    for (let place = this.#first; place < this.#end; place++) {
      const id = this.#ids[place] as number;
      if (id !== EMPTY) places.set(id, place);
    }
    return places;
  }

  #empty(place: number): void {
    this.#ids[place] = EMPTY;
    this.#units.clear(place);
    this.#size--;
  }

  /** Removes empty slots: those at the end, and all of them if there are too many. */
  #tidy(): void {
    while (this.#end > 0 && this.#ids[this.#end - 1] === EMPTY) this.#end--;
    this.#first = Math.min(this.#first, this.#end);
    this.#units.cut(this.#end);
    const isSparse = this.#end > 2 * this.#size + SPARE;
    const isOver = this.#size === 0 && this.#ids.length > FEW;
    if (isSparse || isOver) this.#renumber();
  }

  #renumber(): void {
    const all = [...this];
    if (all.length <= FEW) [this.#places, this.#looks] = [undefined, 0];
    [this.#ids, this.#untils, this.#units] = [[], [], new RunningSums()];
    [this.#first, this.#end, this.#size] = [0, 0, 0];
    for (const lease of all) this.#push(lease);
  }
}
