/** Something that has its turn at an instant, unless that is cancelled before: a call, by default. */
export type Scheduled<Item = () => void> = {
  readonly at: number;
  /** Undefined once it is cancelled, or taken. */
  item: Item | undefined;
  readonly order: number;
};

/** Cancelled items that are kept, however few others there are. */
const FEW = 32;

/**
 * Items in the order of their instants, those of one instant in the order in which they were added.
 *
 * A binary heap, in which an item that is cancelled stays where it is: most are cancelled, and to take
 * one out takes as many steps as to put it in. Once more are cancelled than not, the heap is made anew.
 */
export class Schedule<Item = () => void> {
  #heap: Scheduled<Item>[] = [];
  #added = 0;
  #size = 0;

  /** How many there are, without those that are cancelled. */
  get size(): number {
    return this.#size;
  }

  /** The instant of the first; Infinity where there is none. */
  get next(): number {
    while (this.#heap.length > 0 && this.#heap[0]?.item === undefined) this.#pop();
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  add({ at, item }: { readonly at: number; readonly item: Item }): Scheduled<Item> {
    const entry: Scheduled<Item> = { at, item, order: this.#added++ };
    let place = this.#heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above] as Scheduled<Item>;
      if (isBefore(parent, entry)) break;
      this.#heap[place] = parent;
      place = above;
    }
    this.#heap[place] = entry;
    this.#size++;
    return entry;
  }

  /** Cancels one, if it was not taken yet. */
  cancel(entry: Scheduled<Item>): void {
    if (entry.item === undefined) return;
    entry.item = undefined;
    this.#size--;
    if (this.#heap.length > 2 * this.#size + FEW) this.#rebuild();
  }

  /** Takes out the first; undefined where there is none. */
  take(): Item | undefined {
    if (this.next === Number.POSITIVE_INFINITY) return undefined;
    const entry = this.#pop();
    const item = entry?.item;
    if (entry !== undefined) entry.item = undefined;
    this.#size--;
    return item;
  }

  #pop(): Scheduled<Item> | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last, 0);
    return first;
  }

  #rebuild(): void {
    this.#heap = this.#heap.filter(({ item }) => item !== undefined);
    for (let place = (this.#heap.length >> 1) - 1; place >= 0; place--) {
      this.#sink(this.#heap[place] as Scheduled<Item>, place);
    }
  }

  /** Puts an entry at a place, or below it, under what comes before it. */
  #sink(entry: Scheduled<Item>, from: number): void {
    let place = from;
    for (;;) {
      const child = this.#childOf(place);
      const below = this.#heap[child];
      if (below === undefined || isBefore(entry, below)) break;
      this.#heap[place] = below;
      place = child;
    }
    this.#heap[place] = entry;
  }

  /** Of the two below a place, the one that comes first. */
  #childOf(place: number): number {
    const left = 2 * place + 1;
    const [one, other] = [this.#heap[left], this.#heap[left + 1]];
    return one !== undefined && other !== undefined && isBefore(other, one) ? left + 1 : left;
  }
}

function isBefore(one: Scheduled<unknown>, other: Scheduled<unknown>): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
