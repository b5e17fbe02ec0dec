/** What stands in a line. */
export type Linked<T> = { before: T | undefined; behind: T | undefined };

/**
 * A line, in the order in which its members came. Any of them can leave it in a few steps; from a `Map`
 * or a `Set` the first is got in ever more of them, for an iterator passes what was deleted.
 */
export class Line<T extends Linked<T>> {
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

  /** Joins the line at its end. */
  join(one: T): void {
    one.before = this.#last;
    if (this.#last === undefined) this.#first = one;
    else this.#last.behind = one;
    this.#last = one;
    this.#length++;
  }

  /** Leaves the line, of which it is a member. */
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
