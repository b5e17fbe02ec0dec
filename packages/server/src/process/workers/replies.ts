/** Questions to another process: each has a number, by which its reply is known. */
export class Replies<T> {
  readonly #waiting = new Map<number, (reply: T) => void>();
  #last = 0;

  /** The number of a new question. */
  next(): number {
    return ++this.#last;
  }

  /** Waits for the reply to a question. Undefined where something else comes first. */
  async to(round: number, over?: Promise<unknown>): Promise<T | undefined> {
    const reply = new Promise<T>((resolve) => this.#waiting.set(round, resolve));
    const ended = over?.then(() => undefined);
    try {
      return await (ended === undefined ? reply : Promise.race([reply, ended]));
    } finally {
      this.#waiting.delete(round);
    }
  }

  /** Receives a reply, perhaps to a question for which nobody waits any more. */
  receive(round: number, reply: T): void {
    this.#waiting.get(round)?.(reply);
  }
}
