/** Time that goes by from timer to timer, with everything done in between. */
import type { Scheduler } from "../../src/limits/core/index.ts";

type Timer = { readonly at: number; readonly number: number; readonly call: () => void };

export class VirtualScheduler implements Scheduler {
  #now = 0;
  #number = 0;
  /** Timers that are set, and neither over nor called off. */
  waiting = 0;
  /** A heap: the earliest first, and of those the one that was set first. */
  readonly #timers: Timer[] = [];

  readonly elapsed = () => this.#now;
  /** The time of day: it began on the first of January. */
  readonly clock = () => Date.UTC(2026, 0, 1) + Math.floor(this.#now);

  readonly afterTurn = (call: () => void) => void this.alarm(0, call);
  readonly afterDelay = (ms: number, call: () => void) => this.alarm(ms, call);

  readonly alarm = (ms: number, call: () => void): (() => void) => {
    let isOver = false;
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      this.waiting--;
      return true;
    };
    this.waiting++;
    this.#push({
      at: this.#now + Math.max(0, ms),
      number: this.#number++,
      call: () => {
        if (end()) call();
      },
    });
    return () => void end();
  };

  /** Resolves so many milliseconds later. */
  readonly sleep = (ms: number) => new Promise<void>((done) => void this.alarm(ms, done));

  /** Goes on, timer after timer. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (let next = this.#timers[0]; next !== undefined && next.at <= end; next = this.#timers[0]) {
      this.#pop();
      this.#now = Math.max(this.#now, next.at);
      next.call();
      await settled();
    }
    this.#now = end;
  }

  /** Goes on until a promise is settled, and returns what it is. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    await settled();
    while (!isSettled && this.#timers[0] !== undefined)
      await this.advance(this.#timers[0].at - this.#now);
    return promise;
  }

  #push(timer: Timer): void {
    const heap = this.#timers;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(timer, heap[parent] as Timer)) break;
      heap[index] = heap[parent] as Timer;
      index = parent;
    }
    heap[index] = timer;
  }

  #pop(): void {
    const heap = this.#timers;
    const last = heap.pop() as Timer;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Timer, heap[child] as Timer))
        child++;
      if (!isBefore(heap[child] as Timer, last)) break;
      heap[index] = heap[child] as Timer;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.number < other.number);
}

/** Everything that follows from what has happened, without any timer. */
async function settled(): Promise<void> {
  for (let hop = 0; hop < 30; hop++) await undefined;
}
