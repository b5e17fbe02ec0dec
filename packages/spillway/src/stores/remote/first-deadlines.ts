import { Deadlines, type Wait } from "./deadlines.ts";
import type { ResilienceSettings, Waiting } from "./options.ts";

/**
 * Deadlines of a store's first calls, which wait for the way to the store to be made: longer than others, until the
 * store has answered, or the time for that, which begins with the first call, is over.
 */
export class FirstDeadlines {
  readonly #deadline: number;
  readonly #firstDeadline: number;
  readonly #scheduler: Waiting;
  /** Undefined once they are over. */
  #deadlines: Deadlines | undefined;
  #since: number | undefined;

  constructor(
    { deadline, firstDeadline }: Pick<ResilienceSettings, "deadline" | "firstDeadline">,
    scheduler: Waiting,
  ) {
    this.#deadline = deadline;
    this.#firstDeadline = firstDeadline;
    this.#scheduler = scheduler;
    if (firstDeadline > deadline) this.#deadlines = new Deadlines(firstDeadline, scheduler);
  }

  /** Waits from now on, as `Deadlines.start` does; undefined where a call is none of the first. */
  start(late: () => void): Wait | undefined {
    if (this.#deadlines === undefined) return undefined;
    const now = this.#scheduler.elapsed();
    this.#since ??= now;
    const until = this.#since + this.#firstDeadline;
    if (until > now + this.#deadline) return this.#deadlines.start(late, until);
    this.#deadlines = undefined;
    return undefined;
  }

  /** The store has answered. */
  end(): void {
    this.#deadlines = undefined;
  }
}
