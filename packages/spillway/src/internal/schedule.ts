/**
 * An item scheduled for an instant, unless it is cancelled before. By default a function to call.
 */
export type Scheduled<Item = () => void> = {
  readonly at: number;
  /** Undefined after it was cancelled or taken. */
  item: Item | undefined;
  readonly order: number;
};

/**
 * Up to this many cancelled items may always stay in the heap, even if there are fewer other items.
 */
const FEW = 32;

/**
 * Items in the order of their instants; items of one instant in the order in which they were added.
 *
 * A binary heap. Cancelled items stay in it, because most items are cancelled, and removal costs as
 * much as insertion. Once over half of the heap is cancelled, it is rebuilt.
 */
export class Schedule<Item = () => void> {
  #heap: Scheduled<Item>[] = [];
  #added = 0;
  #size = 0;

  /** The number of items, without cancelled ones. */
  get size(): number {
    return this.#size;
  }

  /** The instant of the first item; `Infinity` if there is none. */
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

  /** Cancels an item, if it was not taken yet. */
  cancel(entry: Scheduled<Item>): void {
    if (entry.item === undefined) return;
    entry.item = undefined;
    this.#size--;
    if (this.#heap.length > 2 * this.#size + FEW) this.#rebuild();
  }

  /** Removes and returns the first item; undefined if there is none. */
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

  /** Puts an entry at an index, or further down, below all entries that come before it. */
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

  /** Returns the index of the child that comes first. */
  #childOf(place: number): number {
    const left = 2 * place + 1;
    const [one, other] = [this.#heap[left], this.#heap[left + 1]];
    return one !== undefined && other !== undefined && isBefore(other, one) ? left + 1 : left;
  }
}

function isBefore(one: Scheduled<unknown>, other: Scheduled<unknown>): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
