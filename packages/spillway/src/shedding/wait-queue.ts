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

/** Those that have waited since before an instant, from a priority down. */
export type Old = { readonly since: number; readonly border: Priority };

/**
 * What waits for its turn: what is critical first, and of all others the oldest.
 *
 * Where there is a border, a priority of which only a part can stay, the most important come first,
 * and from the border down the newest: so some are answered at once, instead of all too late
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

  /** Takes out one; returns whether it still waited. */
  remove(one: W): boolean {
    const line = this.#lines[PRIORITIES.indexOf(one.priority)] ?? [];
    const index = line.indexOf(one);
    if (index >= 0) line.splice(index, 1);
    return index >= 0;
  }

  /** Takes out the one whose turn it is. */
  takeNext(border: Priority | undefined): W | undefined {
    if (border === undefined) return this.#lineInTurn()?.shift();
    const index = this.#lines.findIndex(({ length }) => length > 0);
    const line = this.#lines[index];
    return index >= firstThatGives(border) ? line?.pop() : line?.shift();
  }

  /** Takes out those that have waited for long, from a priority down. */
  takeBefore({ since, border }: Old): readonly W[] {
    return this.#take((line, index) =>
      index < firstThatGives(border) ? [] : line.splice(0, countBefore(line, since)),
    );
  }

  /**
   * Takes out as many as have waited since before an instant: the least important, the oldest
   * first. None of what is critical, nor for it. One that goes on waiting takes another with it
   * each time this is called: so the line becomes shorter until its first has its turn in time.
   */
  takeForThoseBefore(since: number): readonly W[] {
    const lines = this.#lines.slice(1).reverse();
    const count = lines.reduce((sum, line) => sum + countBefore(line, since), 0);
    return lines.reduce<readonly W[]>(
      (taken, line) => taken.concat(line.splice(0, count - taken.length)),
      [],
    );
  }

  /** Takes out what is critical and has waited since before an instant. */
  takeCriticalBefore(since: number): readonly W[] {
    const [line = []] = this.#lines;
    return line.splice(0, countBefore(line, since));
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

  /** That of what is critical, or else the one whose first has waited longest. */
  #lineInTurn(): W[] | undefined {
    const [critical, ...others] = this.#lines;
    if (critical !== undefined && critical.length > 0) return critical;
    const lines = others.filter(({ length }) => length > 0);
    return lines.length === 0 ? undefined : lines.reduce(older);
  }

  #take(from: (line: W[], index: number) => readonly W[]): readonly W[] {
    return this.#lines.flatMap((line, index) => (line.length === 0 ? [] : from(line, index)));
  }
}

/** When the first of some work is late; Infinity where none can be. Pure. */
export function earliestOf(all: readonly QueuedWork[]): number {
  return all.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
}

/** The first of the lines of which a part can't stay: not that of what is critical. */
function firstThatGives(border: Priority): number {
  return Math.max(1, PRIORITIES.indexOf(border));
}

/** How many of a line, the oldest first, have waited since before an instant. */
function countBefore(line: readonly QueuedWork[], since: number): number {
  const first = line.findIndex((one) => one.since >= since);
  return first < 0 ? line.length : first;
}

/** The one of two lines, neither empty, whose first has waited longer. */
function older<Line extends readonly QueuedWork[]>(one: Line, other: Line): Line {
  return (other[0] as QueuedWork).since < (one[0] as QueuedWork).since ? other : one;
}
