/** Numbers in one entry: its instant, its units. */
const WIDTH = 2;

/** Admitted asks in order of time, in a ring of 16 bytes an entry; entries of one instant are one. */
export class Log {
  // A plain array: for a handful of numbers it is a third of a typed array.
  #ring: number[] = [];
  #first = 0;
  #length = 0;

  /** How many entries there are. */
  get length(): number {
    return this.#length;
  }

  /** The instant of an entry; 0 is the oldest. */
  instant(index: number): number {
    return this.#ring[this.#cell(index)] as number;
  }

  /** The units of an entry. */
  units(index: number): number {
    return this.#ring[this.#cell(index) + 1] as number;
  }

  /** Adds units at an instant that is not before the newest; an entry of the same one is joined. */
  push(entry: { readonly instant: number; readonly units: number }): void {
    const newest = this.#length - 1;
    if (newest >= 0 && this.instant(newest) === entry.instant) {
      this.#set(newest, { instant: entry.instant, units: this.units(newest) + entry.units });
      return;
    }
    if (this.#length * WIDTH === this.#ring.length) this.#grow();
    this.#length++;
    this.#set(this.#length - 1, entry);
  }

  /** Drops the oldest entries up to and including an instant. */
  dropUntil(instant: number): void {
    while (this.#length > 0 && this.instant(0) <= instant) {
      this.#first = (this.#first + 1) % (this.#ring.length / WIDTH);
      this.#length--;
    }
  }

  /** Takes units off the newest entries. */
  takeBack(units: number): void {
    let left = units;
    while (left > 0 && this.#length > 0) {
      const newest = this.#length - 1;
      const units = this.units(newest);
      if (units > left) this.#set(newest, { instant: this.instant(newest), units: units - left });
      else this.#length--;
      left -= units;
    }
  }

  /** A log of its own that says the same. */
  copy(): Log {
    const copy = new Log();
    copy.#ring = this.#ring.slice();
    copy.#first = this.#first;
    copy.#length = this.#length;
    return copy;
  }

  /** Moves every instant back. */
  rewind(ms: number): void {
    for (let index = 0; index < this.#length; index++) {
      this.#set(index, { instant: this.instant(index) - ms, units: this.units(index) });
    }
  }

  #cell(index: number): number {
    return ((this.#first + index) * WIDTH) % this.#ring.length;
  }

  #set(index: number, entry: { readonly instant: number; readonly units: number }): void {
    const cell = this.#cell(index);
    this.#ring[cell] = entry.instant;
    this.#ring[cell + 1] = entry.units;
  }

  #grow(): void {
    const entries = Math.max(1, (this.#ring.length / WIDTH) * 2);
    const ring = new Array<number>(entries * WIDTH).fill(0);
    for (let index = 0; index < this.#length; index++) {
      ring[index * WIDTH] = this.instant(index);
      ring[index * WIDTH + 1] = this.units(index);
    }
    this.#ring = ring;
    this.#first = 0;
  }
}
