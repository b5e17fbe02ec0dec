/** Those who wait to be sent, in the order in which they go. */
import { PRIORITIES, type Priority } from "../shedding/index.ts";
import type { Counts } from "./units/counts.ts";

/** Who waits. */
export type Waiting = {
  readonly priority: Priority;
  /** Whether it was sent before: those of its priority that were not come later. */
  readonly isAgain: boolean;
  /** What it asks of the host. */
  readonly route: string;
  /** What it uses, where that is said. */
  readonly counts?: Counts | undefined;
};

/**
 * How many are sent of each priority while all of them wait: without a part of its own, the lowest would never be
 * sent to a host of which the highest wants more than it allows.
 */
const WEIGHTS: { readonly [P in Priority]: number } = {
  critical: 80,
  normal: 10,
  low: 6,
  background: 4,
};

/** Of those who wait so many are passed by in search of another route, at most. */
const MOST_PASSED = 100;

type Node<T> = {
  readonly one: T;
  before: Node<T> | undefined;
  after: Node<T> | undefined;
};

/** In the order in which they came; anybody may leave. */
class Queue<T> {
  readonly #nodes = new Map<T, Node<T>>();
  #oldest: Node<T> | undefined;
  #newest: Node<T> | undefined;

  get size(): number {
    return this.#nodes.size;
  }

  get oldest(): T | undefined {
    return this.#oldest?.one;
  }

  get newest(): T | undefined {
    return this.#newest?.one;
  }

  /** From the oldest one on, or from the newest. */
  *from(end: End): Generator<T> {
    const isNewest = end === "newest";
    let node = isNewest ? this.#newest : this.#oldest;
    for (; node !== undefined; node = isNewest ? node.before : node.after) yield node.one;
  }

  has(one: T): boolean {
    return this.#nodes.has(one);
  }

  add(one: T): void {
    const node: Node<T> = { one, before: this.#newest, after: undefined };
    if (this.#newest === undefined) this.#oldest = node;
    else this.#newest.after = node;
    this.#newest = node;
    this.#nodes.set(one, node);
  }

  delete(one: T): boolean {
    const node = this.#nodes.get(one);
    if (node === undefined) return false;
    const { before, after } = node;
    if (before === undefined) this.#oldest = after;
    else before.after = after;
    if (after === undefined) this.#newest = before;
    else after.before = before;
    return this.#nodes.delete(one);
  }
}

/** Of those of one priority, who goes first: who has waited longest, or who has just come. */
export type End = "oldest" | "newest";

/** Those of one priority. */
type Class<T> = {
  readonly again: Queue<T>;
  readonly first: Queue<T>;
  readonly step: number;
  due: number;
};

/** A queue of weighted turns between priorities (stride scheduling); first come, first served within one. */
export class WaitingLine<T extends Waiting> {
  readonly #classes: readonly Class<T>[] = PRIORITIES.map((priority) => ({
    again: new Queue(),
    first: new Queue(),
    step: 1 / WEIGHTS[priority],
    due: 0,
  }));
  /** When the last one that was sent was due. */
  #now = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Who goes next. */
  first(end: End = "oldest"): T | undefined {
    let next: Class<T> | undefined;
    for (const each of this.#classes) {
      if (!isEmpty(each) && (next === undefined || each.due < next.due)) next = each;
    }
    if (next === undefined) return undefined;
    const { again, first } = next;
    // Who was sent before has waited longest.
    return end === "newest" ? (first.newest ?? again.newest) : (again.oldest ?? first.oldest);
  }

  /** Who goes next of those that do not ask the same; who goes next, where nobody near asks anything else. */
  firstBut(route: string | undefined, end: End = "oldest"): T | undefined {
    let left = MOST_PASSED;
    for (const { again, first } of this.#classes) {
      for (const line of [first, again]) {
        for (const one of line.from(end)) {
          if (one.route !== route) return one;
          if (--left === 0) return this.first(end);
        }
      }
    }
    return this.first(end);
  }

  join(one: T): void {
    const each = this.#classOf(one);
    // Who comes back has earned nothing by not having waited.
    if (isEmpty(each)) each.due = Math.max(each.due, this.#now + each.step);
    lineOf(each, one).add(one);
    this.#length++;
  }

  has(one: T): boolean {
    return lineOf(this.#classOf(one), one).has(one);
  }

  /** Leaves, from wherever it stands; false where it is not there. */
  leave(one: T): boolean {
    const isHere = lineOf(this.#classOf(one), one).delete(one);
    if (isHere) this.#length--;
    return isHere;
  }

  /** Leaves because it is sent: its priority has had its turn. */
  send(one: T): void {
    if (!this.leave(one)) return;
    const each = this.#classOf(one);
    this.#now = Math.max(this.#now, each.due);
    each.due += each.step;
  }

  #classOf({ priority }: T): Class<T> {
    return this.#classes[PRIORITIES.indexOf(priority)] as Class<T>;
  }
}

function lineOf<T extends Waiting>({ again, first }: Class<T>, { isAgain }: T): Queue<T> {
  return isAgain ? again : first;
}

function isEmpty({ again, first }: Class<unknown>): boolean {
  return again.size + first.size === 0;
}
