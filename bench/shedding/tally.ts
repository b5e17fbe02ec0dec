/** What became of the requests of one load. */
import { PRIORITIES, type Priority } from "spillway/shedding";
import { quantile } from "../run.ts";

/**
 * How a request ended, as its sender sees it.
 *
 * - `served`: status 200, in time.
 * - `shed`: status 503, in time.
 * - `failed`: anything else, above all no answer in time.
 */
export type Ending = "served" | "shed" | "failed";

/** How many there were of each; `sent` is their sum. */
export type Counts = Readonly<Record<"sent" | Ending, number>>;

/** What was seen of a load. */
export type Observation = {
  /** Milliseconds in which the counted requests were due. */
  readonly span: number;
  readonly counts: Readonly<Record<Priority, Counts>>;
  /** Milliseconds from due to answered: 99 % of those served took no longer; NaN if none was. */
  readonly p99: number;
  /** Milliseconds that requests were sent after they were due: 99 % by no more. */
  readonly late: number;
  /** Requests that were not sent at all, since every connection was taken; counted as failed. */
  readonly unsent: number;
};

/** Keeps count of one load. */
export class Tally {
  readonly #counts = Object.fromEntries(
    PRIORITIES.map((each) => [each, { sent: 0, served: 0, shed: 0, failed: 0 }]),
  ) as Record<Priority, Record<keyof Counts, number>>;
  readonly #times: number[] = [];
  readonly #delays: number[] = [];
  #unsent = 0;

  /** A request was sent so many milliseconds after it was due, or should have been. */
  sent(priority: Priority, { late, isUnsent }: { late: number; isUnsent: boolean }): void {
    this.#counts[priority].sent++;
    this.#delays.push(late);
    if (isUnsent) this.#unsent++;
  }

  /** It ended so many milliseconds after it was due. */
  ended(priority: Priority, { ending, ms }: { ending: Ending; ms: number }): void {
    this.#counts[priority][ending]++;
    if (ending === "served") this.#times.push(ms);
  }

  observation(span: number): Observation {
    const p99 = quantile(this.#times, 0.99);
    const late = quantile(this.#delays, 0.99);
    return { span, counts: this.#counts, p99, late, unsent: this.#unsent };
  }
}

/** The counts of all priorities together. Pure. */
export function totalOf({ counts }: Pick<Observation, "counts">): Counts {
  const sum = (name: keyof Counts) =>
    PRIORITIES.reduce((total, priority) => total + counts[priority][name], 0);
  return { sent: sum("sent"), served: sum("served"), shed: sum("shed"), failed: sum("failed") };
}
