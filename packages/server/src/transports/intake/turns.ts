/** How much is decided in one turn of the event loop, and by whom. */
import { afterTurn } from "spillway/support";
import { Rounds } from "./rounds.ts";

/** A request that waits until it may be decided. */
export type Waiting = {
  /** Its bytes; none where it has ended meanwhile. */
  readonly size: number;
  /** Decides it, unless it has ended. It must not throw. */
  proceed(): void;
};

/** The most bytes of messages in one turn, but for the last one: some milliseconds of work. */
const MOST = 16 * 1024;

/**
 * Messages are decided as they come, until there were too many bytes of them in this turn of the event
 * loop: then they wait for later ones, connection by connection, and what else is to be done has its turn.
 */
export class Turns {
  readonly #waiting = new Rounds<Waiting>();
  #left = MOST;
  #isCounting = false;

  /** Whether a message of this size may be decided now; then it is counted. */
  admit(size: number): boolean {
    if (this.#left <= 0 || !this.#waiting.isEmpty) return false;
    this.#spend(size);
    return true;
  }

  /** Has something proceed when it is its connection's turn. */
  add(connection: object, waiting: Waiting): void {
    this.#waiting.add(connection, waiting);
    this.#count();
  }

  #spend(size: number): void {
    this.#left -= size;
    this.#count();
  }

  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    afterTurn(this.#next);
  }

  readonly #next = (): void => {
    this.#left = MOST;
    this.#isCounting = false;
    while (this.#left > 0) {
      const waiting = this.#waiting.next();
      if (waiting === undefined) return;
      this.#spend(waiting.size);
      waiting.proceed();
    }
  };
}
