/** Those who wait to be sent, in the order in which they go. */
import { type LineEnd, MemberLine, PRIORITIES, type Priority } from "../../internal/index.ts";
import type { Counts } from "../units/counts.ts";

/** Who waits. */
export type WaitingRequest = {
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

/** Those of one priority. */
type PriorityClass<T> = {
  readonly again: MemberLine<T>;
  readonly first: MemberLine<T>;
  readonly step: number;
  due: number;
};

/** A queue of weighted turns between priorities (stride scheduling); first come, first served within one. */
export class WaitingLine<T extends WaitingRequest> {
  readonly #classes: readonly PriorityClass<T>[] = PRIORITIES.map((priority) => ({
    again: new MemberLine(),
    first: new MemberLine(),
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
  first(end: LineEnd = "oldest"): T | undefined {
    let next: PriorityClass<T> | undefined;
    for (const each of this.#classes) {
      if (!isEmpty(each) && (next === undefined || each.due < next.due)) next = each;
    }
    if (next === undefined) return undefined;
    const { again, first } = next;
    // Who was sent before has waited longest.
    return end === "newest" ? (first.last ?? again.last) : (again.first ?? first.first);
  }

  /** Who goes next of those that do not ask the same; who goes next, where nobody near asks anything else. */
  firstBut(route: string | undefined, end: LineEnd = "oldest"): T | undefined {
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
    lineOf(each, one).join(one);
    this.#length++;
  }

  has(one: T): boolean {
    return lineOf(this.#classOf(one), one).has(one);
  }

  /** Leaves, from wherever it stands; false where it is not there. */
  leave(one: T): boolean {
    const isHere = lineOf(this.#classOf(one), one).leave(one);
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

  #classOf({ priority }: T): PriorityClass<T> {
    return this.#classes[PRIORITIES.indexOf(priority)] as PriorityClass<T>;
  }
}

function lineOf<T extends WaitingRequest>(
  { again, first }: PriorityClass<T>,
  { isAgain }: T,
): MemberLine<T> {
  return isAgain ? again : first;
}

function isEmpty({ again, first }: PriorityClass<unknown>): boolean {
  return again.length + first.length === 0;
}
