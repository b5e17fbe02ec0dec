/** The queue of requests that wait to be sent, in the order in which they go. */
import { type LineEnd, MemberLine, PRIORITIES, type Priority } from "../../internal/index.ts";
import type { Counts } from "../units/counts.ts";

/** A request in the queue. */
export type WaitingRequest = {
  readonly priority: Priority;
  /** Whether it was sent before. Such requests go before all others of their priority. */
  readonly isAgain: boolean;
  /** The name of the route that it requests. */
  readonly route: string;
  /** The units that it uses; undefined if they are not known. */
  readonly counts?: Counts | undefined;
};

/**
 * How many requests of each priority are sent, of 100, while all priorities wait. Without a part of
 * its own, the lowest would never be sent to a host that the highest keeps busy.
 */
const WEIGHTS: { readonly [P in Priority]: number } = {
  critical: 80,
  normal: 10,
  low: 6,
  background: 4,
};

/** The maximum number of requests that are passed over in the search for another route. */
const MOST_PASSED = 100;

/** The requests of one priority. `due` is the virtual time of its next turn. */
type PriorityClass<T> = {
  readonly again: MemberLine<T>;
  readonly first: MemberLine<T>;
  readonly step: number;
  due: number;
};

/**
 * A queue with weighted turns between priorities (stride scheduling), and first come, first served
 * within one.
 */
export class WaitingLine<T extends WaitingRequest> {
  readonly #classes: readonly PriorityClass<T>[] = PRIORITIES.map((priority) => ({
    again: new MemberLine(),
    first: new MemberLine(),
    step: 1 / WEIGHTS[priority],
    due: 0,
  }));
  /** The virtual time: when the last request that was sent was due. */
  #now = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Returns the request that goes next; undefined if the queue is empty. `end` selects within a
   * priority.
   */
  first(end: LineEnd = "oldest"): T | undefined {
    let next: PriorityClass<T> | undefined;
    for (const each of this.#classes) {
      if (!isEmpty(each) && (next === undefined || each.due < next.due)) next = each;
    }
    if (next === undefined) return undefined;
    const { again, first } = next;
    // Requests that were sent before have waited longest.
    return end === "newest" ? (first.last ?? again.last) : (again.first ?? first.first);
  }

  /**
   * Returns the next request to another route. If there is none among the first 100, returns the
   * same as `first`.
   */
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
    // A priority earns no turns while it has no requests.
    if (isEmpty(each)) each.due = Math.max(each.due, this.#now + each.step);
    lineOf(each, one).join(one);
    this.#length++;
  }

  has(one: T): boolean {
    return lineOf(this.#classOf(one), one).has(one);
  }

  /** Removes a request from any position. Returns false if it is not in the queue. */
  leave(one: T): boolean {
    const isHere = lineOf(this.#classOf(one), one).leave(one);
    if (isHere) this.#length--;
    return isHere;
  }

  /** Removes a request because it is sent, and counts a turn of its priority. */
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
