/** Requests that are still to come, the earliest first. */

export type Attempt = {
  /** Milliseconds from the beginning. */
  readonly at: number;
  /** The number of the request, from 1. */
  readonly request: number;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
};

type Entry = Attempt & { readonly order: number };

/**
 * Arrivals in order, and a heap of attempts that come later.
 *
 * At one instant arrivals come first, then what was added first.
 */
export class AttemptQueue {
  readonly #arrivals: readonly number[];
  readonly #heap: Entry[] = [];
  #arrived = 0;
  #added = 0;

  /** @param arrivals When requests arrive for the first time; never decreasing. */
  constructor(arrivals: readonly number[]) {
    this.#arrivals = arrivals;
  }

  get isEmpty(): boolean {
    return this.#heap.length === 0 && this.#arrived === this.#arrivals.length;
  }

  add({ at: instant, request, attempt }: Attempt): void {
    const heap = this.#heap;
    let at = heap.push({ at: instant, request, attempt, order: this.#added++ }) - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#precedes(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  /** Removes the earliest. @throws if there is none */
  next(): Attempt {
    const at = this.#arrivals[this.#arrived];
    const returning = this.#heap[0];
    if (at === undefined || (returning !== undefined && returning.at < at)) return this.#pop();
    return { at, request: ++this.#arrived, attempt: 1 };
  }

  #pop(): Attempt {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) throw new Error("the queue is empty");
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= this.#heap.length) return;
      const right = left + 1;
      const least = right < this.#heap.length && this.#precedes(right, left) ? right : left;
      if (!this.#precedes(least, at)) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #precedes(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one] as Entry, this.#heap[other] as Entry];
    return a.at === b.at ? a.order < b.order : a.at < b.at;
  }

  #swap(one: number, other: number): void {
    const entry = this.#heap[one] as Entry;
    this.#heap[one] = this.#heap[other] as Entry;
    this.#heap[other] = entry;
  }
}
