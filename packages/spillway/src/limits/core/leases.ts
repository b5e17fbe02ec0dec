import { doubled, RunningSums } from "./running-sums.ts";

/** What a lease holds, and until when. */
export type LeaseRecord = {
  /** Distinguishes it from all other leases: a whole number from 0 to 2⁵³ − 1, drawn by whoever asks. */
  readonly id: number;
  readonly units: number;
  /** The instant at which it is forgotten, in milliseconds since 1970. */
  readonly until: number;
};

/** What stands for the id of a lease in a place that is empty. */
const EMPTY = -1;
/** So many more places may be empty than not. */
const SPARE = 8;
/** Places that are looked through for an id: a map of so few would take more room than all else. */
const FEW = 16;
/** Ids that are looked for among many before a map of them is made, which costs as much as some of these. */
const FIRST_LOOKS = 8;
/** Numbers of each lease in `toNumbers`. */
const WIDTH = 3;
/** Leases that there is room for beside those that were read: a command adds one, or renews one. */
const ROOM = 4;

/**
 * Leases in the order in which they are forgotten.
 *
 * Each has a place in a row, and one that is removed leaves its place empty: the instants in the row
 * stay sorted, and what is looked for there is found in a number of steps that grows with the logarithm
 * of how many there are. Once more places are empty than not, the row is made anew.
 */
export class Leases {
  /** The place of each, by its id, once there are more than a few places. */
  #places: Map<number, number> | undefined;
  #ids: number[] = [];
  #untils: number[] = [];
  #units = new RunningSums();
  /** All places before this one are empty. */
  #first = 0;
  /** How many places there are; the arrays may be longer. */
  #end = 0;
  #size = 0;
  #changes = 0;
  /** Ids looked for among many without a map. */
  #looks = 0;

  /** Leases from what `toNumbers` has made: no id twice, the one that is forgotten first in front. */
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

  /** The id of each, its units, and until when it lasts. */
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

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** What all of them hold. */
  get units(): number {
    return this.#units.ofFirst(this.#end);
  }

  /** Until when the last of them lasts; 0 where there is none. */
  get lastUntil(): number {
    return this.#size === 0 ? 0 : (this.#untils[this.#end - 1] as number);
  }

  /** How often they have been changed since they were made. */
  get changes(): number {
    return this.#changes;
  }

  /** From the one that is forgotten first. */
  *[Symbol.iterator](): IterableIterator<LeaseRecord> {
    for (let place = this.#first; place < this.#end; place++) {
      if (this.#ids[place] !== EMPTY) yield this.#at(place);
    }
  }

  /** Adds one that is forgotten no sooner than the others; units of one that is there are added. */
  add({ id, units, until }: LeaseRecord): void {
    const place = this.#placeOf(id);
    const more = place === undefined ? 0 : this.#units.at(place);
    this.#changes++;
    // The id stays in the map: ones deleted there would have to be passed whenever it is looked up.
    if (place !== undefined) this.#empty(place);
    this.#push({ id, units: units + more, until });
    if (place !== undefined) this.#tidy();
  }

  /** Lets one hold no more than so many units, and returns how many it had; 0 where there is none. */
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

  /** Removes one, and returns it; undefined where there is none. */
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

  /** The lease with an id. */
  find(id: number): LeaseRecord | undefined {
    const place = this.#placeOf(id);
    return place === undefined ? undefined : this.#at(place);
  }

  /** Units of those that are forgotten by an instant. */
  unitsUntil(instant: number): number {
    return this.#areAllAfter(instant) ? 0 : this.#units.ofFirst(this.#placeAfter(instant));
  }

  /** Removes those that are forgotten by an instant, and returns their units. */
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

  /** The instant by which so many units are forgotten; Infinity where there are not so many. */
  freedBy(units: number): number {
    const place = this.#units.reaching(units);
    return place < this.#end ? (this.#untils[place] as number) : Number.POSITIVE_INFINITY;
  }

  /** Lets none of them last beyond an instant. */
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

  /** Leases of their own that say the same. */
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

  /** The first place whose lease is forgotten after an instant. */
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

  /** Which id is where. */
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

  /** Gives up empty places: those at the end, and all of them where they are too many. */
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
