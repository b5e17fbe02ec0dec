/** From this utilization on there is nothing left of a process. */
const FULL = 0.99;
/** Below this there is room for more. */
const EASY = 0.95;
/** So many windows in a row have to be full before that is no chance. */
const PATIENCE = 4;
/** What is left of the share with each window that is full, and what it grows by with one that is easy. */
const LESS = 0.8;
const MORE = 1.05;
/** What is let in however full it is. */
const LEAST = 0.01;

/**
 * The share of what is asked that a process has time for, where work waits before it can be seen.
 *
 * A server that gets a connection for each request accepts one in a turn of its event loop: what is too
 * much waits with the system, and all that shows is that the loop is never idle. So what is let in
 * shrinks while that is so, and grows slowly when it is not. Where the queue can be seen it tells more.
 */
export class UnseenQueue {
  #share = 1;
  #full = 0;

  /** From 0 to 1; 1 while there is no sign of one. */
  get share(): number {
    return this.#share;
  }

  /**
   * Learns from a window.
   *
   * @param utilization Of the event loop; undefined where nothing is known of it.
   * @param isSeen Whether work waits where it can be seen.
   */
  learn(utilization: number | undefined, isSeen: boolean): void {
    if (utilization === undefined || isSeen || utilization < FULL) this.#full = 0;
    else this.#full++;
    if (this.#full >= PATIENCE || (this.#full > 0 && this.#share < 1)) {
      this.#share = Math.max(LEAST, this.#share * LESS);
    } else if (isSeen || (utilization ?? 0) < EASY) {
      this.#share = Math.min(1, this.#share * MORE);
    }
  }

  /** Forgets what was, as after a silence. */
  forget(): void {
    this.#share = 1;
    this.#full = 0;
  }
}
