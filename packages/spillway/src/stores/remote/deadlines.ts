import type { DeadlineScheduler } from "./options.ts";

/** A pending wait. */
export type DeadlineWait = {
  /** Whether it is over: the answer has come, or was late. */
  over: boolean;
  readonly from: number;
  readonly until: number;
  late: () => void;
};

const NOTHING = () => {};

/** The store did not answer in time. */
export class LateError extends Error {
  override readonly name = "LateError";

  /** @param cause The known problem of the connection to the store. */
  constructor(ms: number, cause: Error | undefined) {
    super(`no answer within ${ms} ms${cause === undefined ? "" : `: ${cause.message}`}`, { cause });
  }
}

/**
 * Ends waits at their deadlines. Nearly all waits are equally long, so one timer serves them all: a
 * timer for each would cost more than the rest of a call.
 *
 * Only the first calls of a store wait longer, because it must connect: until the store has
 * answered, or until `firstMs` after the first call.
 */
export class Deadlines {
  /** Whether the store has answered, so that its first calls are over. */
  hasAnswered = false;
  readonly #ms: number;
  /** How long the first calls wait, in milliseconds since the first of them. */
  readonly #firstMs: number;
  #firstCall: number | undefined;
  #waits: DeadlineWait[] = [];
  /** The instant of the next check; Infinity if nothing waits. */
  #lookAt = Number.POSITIVE_INFINITY;
  readonly #scheduler: DeadlineScheduler;

  /**
   * @param ms The usual wait, in milliseconds.
   * @param firstMs The wait of the first calls. Default: `ms`.
   */
  constructor(ms: number, scheduler: DeadlineScheduler, firstMs = ms) {
    this.#ms = ms;
    this.#scheduler = scheduler;
    this.#firstMs = firstMs;
  }

  /**
   * Starts a wait. Calls `late` if the wait is not ended in time.
   *
   * @param before The deadline on the clock of `elapsed`, if it is not the usual one.
   */
  start(late: () => void, before?: number): DeadlineWait {
    const from = this.#scheduler.elapsed();
    let until = before ?? from + this.#ms;
    if (before === undefined && !this.hasAnswered) {
      this.#firstCall ??= from;
      until = Math.max(until, this.#firstCall + this.#firstMs);
    }
    const wait = { over: false, from, until, late };
    // Ended first calls, which would stay last for long, would make the search below long.
    while (this.#waits.at(-1)?.over) this.#waits.pop();
    const last = this.#waits.at(-1);
    if (last === undefined || last.until <= until) this.#waits.push(wait);
    else this.#waits.splice(this.#waits.findLastIndex((one) => one.until <= until) + 1, 0, wait);
    if (until < this.#lookAt) this.#arm(until);
    return wait;
  }

  /** Ends a wait, because its answer has come. Returns false if it was over already. */
  end(wait: DeadlineWait): boolean {
    if (wait.over) return false;
    wait.over = true;
    // The wait may stay queued until its deadline, and must not keep its callback alive.
    wait.late = NOTHING;
    return true;
  }

  #arm(at: number): void {
    this.#lookAt = at;
    // If this process itself was too busy for the check, answers that have arrived since still
    // count.
    const { elapsed, afterDelay, afterTurn } = this.#scheduler;
    afterDelay(Math.max(0, at - elapsed()), () => afterTurn(() => this.#look(at)));
  }

  #look(at: number): void {
    // A timer armed later fires earlier.
    if (at !== this.#lookAt) return;
    const now = this.#scheduler.elapsed();
    const first = this.#waits.findIndex(({ over, until }) => !over && until > now);
    const ended = this.#waits.splice(0, first < 0 ? this.#waits.length : first);
    this.#lookAt = Number.POSITIVE_INFINITY;
    if (first >= 0) this.#arm((this.#waits[0] as DeadlineWait).until);
    for (const wait of ended) {
      const { late } = wait;
      if (this.end(wait)) late();
    }
  }
}
