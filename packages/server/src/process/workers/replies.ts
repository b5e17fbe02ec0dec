/** Matches replies of another process to queries, by number. */
export class Replies<T> {
  readonly #waiting = new Map<number, (reply: T) => void>();
  #last = 0;

  /** Returns the number of a new query. */
  next(): number {
    return ++this.#last;
  }

  /** Waits for the reply to a query. Undefined if `over` resolves first. */
  async to(round: number, over?: Promise<unknown>): Promise<T | undefined> {
    const reply = new Promise<T>((resolve) => this.#waiting.set(round, resolve));
    const ended = over?.then(() => undefined);
    try {
      return await (ended === undefined ? reply : Promise.race([reply, ended]));
    } finally {
      this.#waiting.delete(round);
    }
  }

  /** Receives a reply, even if its query is no longer awaited. */
  receive(round: number, reply: T): void {
    this.#waiting.get(round)?.(reply);
  }
}
