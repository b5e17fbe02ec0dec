/** A first-in, first-out queue. Taking the first item has the same cost for any length. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  add(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    const item = this.#items[this.#head];
    if (this.#head < this.#items.length) this.#head++;
    if (this.#head > 1000 && 2 * this.#head > this.#items.length) this.#drop();
    return item;
  }

  #drop(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
