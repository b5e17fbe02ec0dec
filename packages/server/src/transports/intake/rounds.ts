/** A queue in which all owners take turns: none waits for more than one item of each other. */
export class Rounds<T> {
  /** The next owner first. Only those that have items are there. */
  readonly #owners = new Map<object, T[]>();

  get isEmpty(): boolean {
    return this.#owners.size === 0;
  }

  /** Adds an item behind those of its owner. */
  add(owner: object, item: T): void {
    const items = this.#owners.get(owner);
    if (items === undefined) this.#owners.set(owner, [item]);
    else items.push(item);
  }

  /** Takes out the next item; undefined where there is none. */
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
