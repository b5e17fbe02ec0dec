/** What became of the requests of one load, second by second. */
import { PRIORITIES, type Priority } from "spillway/shedding";
import { quantile } from "../numbers.ts";
import { type Arrival, PATHS } from "./arrivals.ts";

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

/** Health checks are counted apart. */
export type Group = Priority | "health";

/** The requests that were due in one second, by what they are. */
export type Second = Readonly<Record<Group, Counts>>;

/** What was seen of a load. */
export type Observation = {
  /** The first begins where counting does. */
  readonly seconds: readonly Second[];
  /** Milliseconds from due to answered: 99 % of those served took no longer; NaN if none was. */
  readonly p99: number;
  /** Milliseconds that requests were sent after they were due: 99 % by no more. */
  readonly late: number;
  /** Requests that were not sent at all, since every connection was taken; counted as failed. */
  readonly unsent: number;
};

const GROUPS: readonly Group[] = [...PRIORITIES, "health"];

type MutableSecond = Record<Group, Record<keyof Counts, number>>;

/** Keeps count of one load. */
export class Tally {
  readonly #seconds: MutableSecond[] = [];
  readonly #times: number[] = [];
  readonly #delays: number[] = [];
  #unsent = 0;

  /** A request was sent so many milliseconds after it was due, or should have been. */
  sent({ late, isUnsent }: { readonly late: number; readonly isUnsent: boolean }): void {
    this.#delays.push(late);
    if (isUnsent) this.#unsent++;
  }

  /** It ended so many milliseconds after it was due. */
  ended(arrival: Arrival, { ending, ms }: { readonly ending: Ending; readonly ms: number }): void {
    const group = arrival.path === PATHS.health ? "health" : arrival.priority;
    const counts = this.#second(Math.floor(arrival.due / 1000))[group];
    counts.sent++;
    counts[ending]++;
    if (ending === "served" && group !== "health") this.#times.push(ms);
  }

  observation(): Observation {
    const p99 = quantile(this.#times, 0.99);
    const late = quantile(this.#delays, 0.99);
    return { seconds: this.#seconds, p99, late, unsent: this.#unsent };
  }

  #second(index: number): MutableSecond {
    while (this.#seconds.length <= index) this.#seconds.push(emptySecond());
    return this.#seconds[index] as MutableSecond;
  }
}

function emptySecond(): MutableSecond {
  const entries = GROUPS.map((each) => [each, { sent: 0, served: 0, shed: 0, failed: 0 }]);
  return Object.fromEntries(entries) as MutableSecond;
}

/** The counts of some groups of some seconds together. Pure. */
export function sumOf(seconds: readonly Second[], groups: readonly Group[] = PRIORITIES): Counts {
  const sum = (name: keyof Counts) =>
    seconds.reduce((all, each) => all + groups.reduce((part, g) => part + each[g][name], 0), 0);
  return { sent: sum("sent"), served: sum("served"), shed: sum("shed"), failed: sum("failed") };
}
