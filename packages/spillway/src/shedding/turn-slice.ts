import type { Scheduler } from "../limits/core/index.ts";

/** Microtasks until what was admitted has surely begun: some wrappers around an `await` deep. */
const HOPS = 4;

/**
 * Turns in a row without a request after which everything that had come has been heard: a
 * connection is accepted in one turn, and read in the next.
 */
const QUIET = 2;

/** What a slice works with. */
export type SliceSettings = {
  readonly scheduler: Pick<Scheduler, "elapsed" | "afterTurn">;
  /** Milliseconds for which work is started before others are heard. */
  readonly slice: number;
  /** Starts one piece of work; false where there is none, or no room. */
  readonly startNext: () => boolean;
};

/**
 * Divides the turns of the event loop between starting work and hearing what has come.
 *
 * Work is started for a slice of time. Then turns pass in which none is, until two in a row have
 * brought no request, or for as long as a slice at most. So what comes is read as fast as it comes:
 * a server accepts one connection in a turn, and while each turn starts work, those that wait to be
 * accepted wait in sockets.
 */
export class TurnSlice {
  readonly #settings: SliceSettings;
  /** Until when work may be started. */
  #end = Number.NEGATIVE_INFINITY;
  #isWatching = false;
  #hasHeard = false;
  #quietTurns = 0;

  constructor(settings: SliceSettings) {
    this.#settings = settings;
  }

  /** Notes that something is asked now; returns whether it may be started at once. */
  hear(now: number): boolean {
    this.#hasHeard = true;
    if (!this.#isWatching) {
      this.#end = now + this.#settings.slice;
      this.#watch(0);
    }
    return now < this.#end;
  }

  /** Starts what waits when this turn is over, or as soon as everything has been heard. */
  serveSoon(): void {
    if (!this.#isWatching) this.#watch(QUIET - 1);
  }

  #watch(quietTurns: number): void {
    this.#isWatching = true;
    this.#quietTurns = quietTurns;
    this.#nextTurn();
  }

  #nextTurn(): void {
    this.#settings.scheduler.afterTurn(() => this.#turn());
  }

  #turn(): void {
    const { scheduler, slice } = this.#settings;
    this.#quietTurns = this.#hasHeard ? 0 : this.#quietTurns + 1;
    this.#hasHeard = false;
    const now = scheduler.elapsed();
    if (this.#isQuiet || now >= this.#end + slice) this.#end = now + slice;
    if (now < this.#end) this.#serve();
    else this.#nextTurn();
  }

  get #isQuiet(): boolean {
    return this.#quietTurns >= QUIET;
  }

  #serve(): void {
    const { scheduler } = this.#settings;
    if (!this.#startNext()) return;
    this.#quietTurns = 0;
    // What was started works at once: how long that took is seen once it has.
    afterHops(HOPS, () => {
      if (scheduler.elapsed() < this.#end) this.#serve();
      else this.#nextTurn();
    });
  }

  /**
   * Whether something was started; goes on watching also where a function of the options throws.
   */
  #startNext(): boolean {
    let isStarted = false;
    try {
      isStarted = this.#settings.startNext();
    } finally {
      if (!isStarted) this.#goOn();
    }
    return isStarted;
  }

  /** There is nothing to start: once it is quiet as well, there is nothing to watch. */
  #goOn(): void {
    if (this.#isQuiet) this.#isWatching = false;
    else this.#nextTurn();
  }
}

function afterHops(hops: number, call: () => void): void {
  let promise = Promise.resolve();
  for (let hop = 1; hop < hops; hop++) promise = promise.then(() => {});
  promise.then(call);
}
