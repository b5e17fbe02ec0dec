/** A round-robin queue: an item waits for at most one item of each other owner at a time. */
export class RoundRobinQueue<T> {
  /** The items of each owner that has any. The next owner is the first. */
  readonly #owners = new Map<object, T[]>();

  get isEmpty(): boolean {
    return this.#owners.size === 0;
  }

  /** Adds an item after the other items of its owner. */
  add(owner: object, item: T): void {
    const items = this.#owners.get(owner);
    if (items === undefined) this.#owners.set(owner, [item]);
    else items.push(item);
  }

  /** Removes and returns the next item; undefined if there is none. */
  next(): T | undefined {
    for (const [owner, items] of this.#owners) {
      const item = items.shift();
      this.#owners.delete(owner);
      if (items.length > 0) this.#owners.set(owner, items);
      return item;
    }
    return undefined;
  }
}
