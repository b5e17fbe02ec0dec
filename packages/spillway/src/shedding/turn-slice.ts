import type { Later } from "../core/index.ts";

/** Microtasks until what was admitted has surely begun: some wrappers around an `await` deep. */
const HOPS = 4;

/** What a slice works with. */
export type SliceSettings = {
  readonly later: Pick<Later, "elapsed" | "afterTurn">;
  /** Milliseconds for which work is started in one turn before others are heard. */
  readonly slice: number;
  /** Starts one piece of work; false where there is none, or no room. */
  readonly startNext: () => boolean;
};

/**
 * Starts work at the end of turns of the event loop, for a slice of each.
 *
 * What else has come by then has been read, and can be sorted.
 */
export class TurnSlice {
  readonly #settings: SliceSettings;
  /** When this turn began, if anything has been asked in it. */
  #turn: number | undefined;
  #isServing = false;

  constructor(settings: SliceSettings) {
    this.#settings = settings;
  }

  /** Whether this turn, in which something is asked now, has not lasted for a slice yet. */
  hasTime(now: number): boolean {
    const { later, slice } = this.#settings;
    if (this.#turn === undefined) {
      this.#turn = now;
      later.afterTurn(() => {
        this.#turn = undefined;
      });
    }
    return now - this.#turn < slice;
  }

  /**
   * Starts work when this turn is over, and goes on in those after until there is no more to start.
   */
  serveSoon(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    const { later, slice } = this.#settings;
    later.afterTurn(() => this.#serve(later.elapsed() + slice));
  }

  #serve(end: number): void {
    const { later, startNext } = this.#settings;
    if (!startNext()) {
      this.#isServing = false;
      return;
    }
    // What was started works at once: how long that took is seen once it has.
    afterHops(HOPS, () => {
      if (later.elapsed() < end) return this.#serve(end);
      this.#isServing = false;
      this.serveSoon();
    });
  }
}

function afterHops(hops: number, call: () => void): void {
  let promise = Promise.resolve();
  for (let hop = 1; hop < hops; hop++) promise = promise.then(() => {});
  promise.then(call);
}
