import type { Scheduler } from "../limits/core/index.ts";

/**
 * The microtasks after which admitted work has surely begun, even within a few wrappers of an
 * `await`.
 */
const HOPS = 4;

/**
 * The turns in a row without a request after which all requests that had arrived are read. A
 * connection is accepted in one turn and read in the next.
 */
const QUIET = 2;

/** The settings of a turn slice. */
export type SliceSettings = {
  readonly scheduler: Pick<Scheduler, "elapsed" | "afterTurn">;
  /** How long work is started before new requests are read, in milliseconds. */
  readonly slice: number;
  /** Starts one piece of work. Returns false if there is none, or no room. */
  readonly startNext: () => boolean;
};

/**
 * Divides the turns of the event loop between starting work and reading new requests.
 *
 * Work is started for one slice of time. Then no work is started until two turns in a row have
 * brought no request, or for at most one slice. So requests are read as fast as they arrive. A
 * server accepts one connection in a turn: if every turn started work, connections would wait in
 * their sockets to be accepted.
 */
export class TurnSlice {
  readonly #settings: SliceSettings;
  /** The instant until which work may be started. */
  #end = Number.NEGATIVE_INFINITY;
  #isWatching = false;
  #hasHeard = false;
  #quietTurns = 0;

  constructor(settings: SliceSettings) {
    this.#settings = settings;
  }

  /** Records a request at `now`. Returns whether its work may start at once. */
  hear(now: number): boolean {
    this.#hasHeard = true;
    if (!this.#isWatching) {
      this.#end = now + this.#settings.slice;
      this.#watch(0);
    }
    return now < this.#end;
  }

  /** Starts waiting work after this turn, or as soon as all requests that have arrived are read. */
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
    // Started work runs at once, so its time is known only after some microtasks.
    afterHops(HOPS, () => {
      if (scheduler.elapsed() < this.#end) this.#serve();
      else this.#nextTurn();
    });
  }

  /**
   * Starts one piece of work. Returns whether one was started. Continues to watch even if
   * `startNext` throws.
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

  /** Called if there is no work to start: stops watching once no requests arrive either. */
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
