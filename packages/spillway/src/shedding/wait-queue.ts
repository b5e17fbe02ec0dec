import { MemberLine, PRIORITIES, type Priority } from "../internal/index.ts";

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
export type OverdueWork = { readonly since: number; readonly border: Priority };

/**
 * What waits for its turn: what is critical first, and of all others the oldest.
 *
 * Where there is a border, a priority of which only a part can stay, the most important come first,
 * and from the border down the newest: so some are answered at once, instead of all too late
 * (adaptive LIFO: B. Maurer, "Fail at Scale", 2015).
 */
export class WaitQueue<W extends QueuedWork> {
  readonly #lines = PRIORITIES.map(() => new MemberLine<W>());

  /** How many wait. */
  get length(): number {
    return this.#lines.reduce((sum, line) => sum + line.length, 0);
  }

  /** Since when the one that has waited longest waits; undefined where nobody does. */
  get oldest(): number | undefined {
    const least = Math.min(...this.#lines.map(({ first }) => first?.since ?? Infinity));
    return least === Infinity ? undefined : least;
  }

  /** When the first of them is late; Infinity where none can be. Looks at all. */
  get earliest(): number {
    return Math.min(...this.#lines.map((line) => earliestOf(line.from("oldest"))));
  }

  /** Adds one that has come last; nobody has to go for it. */
  add(one: W): W | undefined {
    this.#lines[PRIORITIES.indexOf(one.priority)]?.join(one);
    return undefined;
  }

  /** Takes out one; returns whether it still waited. */
  remove(one: W): boolean {
    return this.#lines[PRIORITIES.indexOf(one.priority)]?.leave(one) ?? false;
  }

  /** Takes out the one whose turn it is. */
  takeNext(border: Priority | undefined): W | undefined {
    if (border === undefined) return this.#lineInTurn()?.take("oldest");
    const index = this.#lines.findIndex(({ length }) => length > 0);
    const line = this.#lines[index];
    return index >= firstThatGives(border) ? line?.take("newest") : line?.take("oldest");
  }

  /** Takes out those that have waited for long, from a priority down. */
  takeBefore({ since, border }: OverdueWork): readonly W[] {
    const lines = this.#lines.slice(firstThatGives(border));
    return lines.flatMap((line) => line.takeOldest(countBefore(line, since)));
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
      (taken, line) => taken.concat(line.takeOldest(count - taken.length)),
      [],
    );
  }

  /** Takes out what is critical and has waited since before an instant. */
  takeCriticalBefore(since: number): readonly W[] {
    const [line] = this.#lines;
    return line === undefined ? [] : line.takeOldest(countBefore(line, since));
  }

  /** Takes out those for whose answers nobody waits any more. */
  takeLate(now: number): readonly W[] {
    const late = this.#lines.flatMap((line) =>
      [...line.from("oldest")].filter(({ until }) => until <= now),
    );
    for (const one of late) this.remove(one);
    return late;
  }

  /** Takes out the oldest of the least important, if they matter less than a priority. */
  takeLessThan(priority: Priority): W | undefined {
    const least = this.#lines.findLastIndex(({ length }) => length > 0);
    return least > PRIORITIES.indexOf(priority) ? this.#lines[least]?.take("oldest") : undefined;
  }

  /** That of what is critical, or else the one whose first has waited longest. */
  #lineInTurn(): MemberLine<W> | undefined {
    const [critical, ...others] = this.#lines;
    if (critical !== undefined && critical.length > 0) return critical;
    const lines = others.filter(({ length }) => length > 0);
    return lines.length === 0 ? undefined : lines.reduce(older);
  }
}

/** When the first of some work is late; Infinity where none can be. Pure. */
export function earliestOf(all: Iterable<QueuedWork>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { until } of all) least = Math.min(least, until);
  return least;
}

/** The first of the lines of which a part can't stay: not that of what is critical. */
function firstThatGives(border: Priority): number {
  return Math.max(1, PRIORITIES.indexOf(border));
}

/** How many of a line, the oldest first, have waited since before an instant. */
function countBefore(line: MemberLine<QueuedWork>, since: number): number {
  let count = 0;
  for (const one of line.from("oldest")) {
    if (one.since >= since) break;
    count++;
  }
  return count;
}

/** The one of two lines, neither empty, whose first has waited longer. */
function older<W extends QueuedWork>(one: MemberLine<W>, other: MemberLine<W>): MemberLine<W> {
  return (other.first as W).since < (one.first as W).since ? other : one;
}
