/** What happens at an instant of virtual time. */
export type Event = { readonly at: number; readonly call: () => void };

type Entry = Event & { readonly order: number };

/** Events by their instant, those of one instant in the order of their coming (a binary heap). */
export class Agenda {
  readonly #heap: Entry[] = [];
  #added = 0;

  /** The instant of the first event; `Infinity` where there is none. */
  get next(): number {
    return this.#heap[0]?.at ?? Infinity;
  }

  add({ at, call }: Event): void {
    const entry = { at, call, order: this.#added++ };
    let place = this.#heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above] as Entry;
      if (!isBefore(entry, parent)) break;
      this.#heap[place] = parent;
      place = above;
    }
    this.#heap[place] = entry;
  }

  /** Takes the first event out. */
  take(): Event | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) this.#sink(last);
    return first;
  }

  /** Finds the place of an entry that starts at the top. */
  #sink(entry: Entry): void {
    let place = 0;
    for (;;) {
      const child = this.#smallerChild(place);
      const below = this.#heap[child];
      if (below === undefined || isBefore(entry, below)) break;
      this.#heap[place] = below;
      place = child;
    }
    this.#heap[place] = entry;
  }

  #smallerChild(place: number): number {
    const left = 2 * place + 1;
    const [one, other] = [this.#heap[left], this.#heap[left + 1]];
    const isRight = one !== undefined && other !== undefined && isBefore(other, one);
    return isRight ? left + 1 : left;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
