/** A member of a line: it refers to its neighbours. */
export type ListNode<T> = { before: T | undefined; behind: T | undefined };

/**
 * A queue in the order of arrival: a doubly linked list. Any member can leave it in constant time.
 *
 * A `Map` or a `Set` would be slower: to find its first entry, an iterator must skip all deleted
 * entries.
 */
export class Line<T extends ListNode<T>> {
  #first: T | undefined;
  #last: T | undefined;
  #length = 0;

  get first(): T | undefined {
    return this.#first;
  }

  get last(): T | undefined {
    return this.#last;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a member at the end. */
  join(one: T): void {
    one.before = this.#last;
    if (this.#last === undefined) this.#first = one;
    else this.#last.behind = one;
    this.#last = one;
    this.#length++;
  }

  /** Removes a member, which must be in the line. */
  leave(one: T): void {
    const { before, behind } = one;
    if (before === undefined) this.#first = behind;
    else before.behind = behind;
    if (behind === undefined) this.#last = before;
    else behind.before = before;
    [one.before, one.behind] = [undefined, undefined];
    this.#length--;
  }
}
