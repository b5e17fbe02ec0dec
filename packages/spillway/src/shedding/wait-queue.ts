import { PRIORITIES, type Priority } from "./priority.ts";

/** A piece of work that waits for its turn; instants are milliseconds from any beginning. */
export type QueuedWork = {
  readonly priority: Priority;
  /** Its priority's, and its cohort's in it: the lower, the more it matters. */
  readonly level: number;
  readonly since: number;
  /** From which instant on nobody waits for the answer. */
  readonly until: number;
  /** Whether there is no room for it, so that it is started only if nothing is in line. */
  readonly isStandby: boolean;
};

/**
 * Which have waited for long: since before an instant, and from a priority down; none without one.
 */
export type Old = { readonly since: number; readonly border: Priority | undefined };

/**
 * What waits for its turn: the most important first, and of one priority the oldest.
 *
 * Of a priority for which there is not room for all, and of those below, the newest come first, and
 * those that have waited for long go: so some are answered at once, instead of all too late
 * (adaptive LIFO: B. Maurer, "Fail at Scale", 2015).
 */
export class WaitQueue<W extends QueuedWork> {
  readonly #lines: W[][] = PRIORITIES.map(() => []);

  /** How many wait. */
  get length(): number {
    return this.#lines.reduce((sum, line) => sum + line.length, 0);
  }

  /** Since when the one that has waited longest waits; undefined where nobody does. */
  get oldest(): number | undefined {
    const firsts = this.#lines.flatMap((line) => line.slice(0, 1));
    return firsts.length === 0 ? undefined : Math.min(...firsts.map(({ since }) => since));
  }

  /** When the first of them is late; Infinity where none can be. Looks at all. */
  get earliest(): number {
    return earliestOf(this.#lines.flat());
  }

  /** Adds one that has come last. */
  add(one: W): undefined {
    this.#lines[PRIORITIES.indexOf(one.priority)]?.push(one);
  }

  /** Takes out the one whose turn it is. */
  takeNext(border: Priority | undefined): W | undefined {
    const index = this.#lines.findIndex(({ length }) => length > 0);
    const line = this.#lines[index];
    return index >= placeOf(border) ? line?.pop() : line?.shift();
  }

  /** Takes out those that have waited for long. */
  takeBefore({ since, border }: Old): readonly W[] {
    return this.#take((line, index) => {
      if (index < placeOf(border)) return [];
      const first = line.findIndex((one) => one.since >= since);
      return line.splice(0, first < 0 ? line.length : first);
    });
  }

  /** Takes out those for whose answers nobody waits any more. */
  takeLate(now: number): readonly W[] {
    return this.#take((line, index) => {
      const late = line.filter(({ until }) => until <= now);
      if (late.length > 0) this.#lines[index] = line.filter(({ until }) => until > now);
      return late;
    });
  }

  /** Takes out the oldest of the least important, if they matter less than a priority. */
  takeLessThan(priority: Priority): W | undefined {
    const least = this.#lines.findLastIndex(({ length }) => length > 0);
    return least > PRIORITIES.indexOf(priority) ? this.#lines[least]?.shift() : undefined;
  }

  #take(from: (line: W[], index: number) => readonly W[]): readonly W[] {
    return this.#lines.flatMap((line, index) => (line.length === 0 ? [] : from(line, index)));
  }
}

/** When the first of some work is late; Infinity where none can be. Pure. */
export function earliestOf(all: readonly QueuedWork[]): number {
  return all.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
}

function placeOf(border: Priority | undefined): number {
  return border === undefined ? PRIORITIES.length : PRIORITIES.indexOf(border);
}
