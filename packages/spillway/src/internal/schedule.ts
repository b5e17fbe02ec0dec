/** Something that is to be called at an instant, unless that is cancelled before. */
export type ScheduledCall = {
  readonly at: number;
  /** Undefined once it is cancelled, or made. */
  call: (() => void) | undefined;
  readonly order: number;
};

/** Cancelled calls that are kept, however few others there are. */
const FEW = 32;

/**
 * Calls in the order of their instants, those of one instant in the order in which they were added.
 *
 * A binary heap, in which a call that is cancelled stays where it is: most are cancelled, and to take
 * one out takes as many steps as to put it in. Once more are cancelled than not, the heap is made anew.
 */
export class Schedule {
  #heap: ScheduledCall[] = [];
  #added = 0;
  #size = 0;

  /** How many calls are to be made. */
  get size(): number {
    return this.#size;
  }

  /** The instant of the first call; Infinity where there is none. */
  get next(): number {
    while (this.#heap.length > 0 && this.#heap[0]?.call === undefined) this.#pop();
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  add({ at, call }: { readonly at: number; readonly call: () => void }): ScheduledCall {
    const entry: ScheduledCall = { at, call, order: this.#added++ };
    let place = this.#heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above] as ScheduledCall;
      if (isBefore(parent, entry)) break;
      this.#heap[place] = parent;
      place = above;
    }
    this.#heap[place] = entry;
    this.#size++;
    return entry;
  }

  /** Cancels a call, if it is still to be made. */
  cancel(entry: ScheduledCall): void {
    if (entry.call === undefined) return;
    entry.call = undefined;
    this.#size--;
    if (this.#heap.length > 2 * this.#size + FEW) this.#rebuild();
  }

  /** Takes out the first call; undefined where there is none. */
  take(): (() => void) | undefined {
    if (this.next === Number.POSITIVE_INFINITY) return undefined;
    const entry = this.#pop();
    const call = entry?.call;
    if (entry !== undefined) entry.call = undefined;
    this.#size--;
    return call;
  }

  #pop(): ScheduledCall | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last, 0);
    return first;
  }

  #rebuild(): void {
    this.#heap = this.#heap.filter(({ call }) => call !== undefined);
    for (let place = (this.#heap.length >> 1) - 1; place >= 0; place--) {
      this.#sink(this.#heap[place] as ScheduledCall, place);
    }
  }

  /** Puts an entry at a place, or below it, under what comes before it. */
  #sink(entry: ScheduledCall, from: number): void {
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

function isBefore(one: ScheduledCall, other: ScheduledCall): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
