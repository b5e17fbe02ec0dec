import { MemberLine, PRIORITIES, type Priority } from "../internal/index.ts";

/** A piece of work that waits for its turn. Instants are milliseconds from any starting point. */
export type QueuedWork = {
  readonly priority: Priority;
  /** The level of its priority and its cohort. A lower level matters more. */
  readonly level: number;
  readonly since: number;
  /** The instant from which on the caller no longer waits. */
  readonly until: number;
  /** Whether there is no room for it. Then it is started only if the queue is empty. */
  readonly isStandby: boolean;
};

/** Selects work that has waited since before an instant, from a priority down. */
export type OverdueWork = { readonly since: number; readonly border: Priority };

/**
 * The queue of work that waits for its turn: critical work first, then the oldest.
 *
 * The order changes if there is a border: a priority that can be admitted only in part. Then the
 * most important work comes first, and from the border down the newest. So some work is answered at
 * once, instead of all too late (adaptive LIFO: B. Maurer, "Fail at Scale", 2015).
 */
export class WaitQueue<W extends QueuedWork> {
  readonly #lines = PRIORITIES.map(() => new MemberLine<W>());

  /** The number of pieces of work that wait. */
  get length(): number {
    return this.#lines.reduce((sum, line) => sum + line.length, 0);
  }

  /** The instant since which the oldest has waited; undefined if the queue is empty. */
  get oldest(): number | undefined {
    const least = Math.min(...this.#lines.map(({ first }) => first?.since ?? Infinity));
    return least === Infinity ? undefined : least;
  }

  /** The earliest deadline; `Infinity` if there is none. Reads the whole queue. */
  get earliest(): number {
    return Math.min(...this.#lines.map((line) => earliestOf(line.from("oldest"))));
  }

  /** Adds one that has come last; nobody has to go for it. */
  add(one: W): W | undefined {
    this.#lines[PRIORITIES.indexOf(one.priority)]?.join(one);
    return undefined;
  }

  /** Removes a piece of work. Returns whether it still waited. */
  remove(one: W): boolean {
    return this.#lines[PRIORITIES.indexOf(one.priority)]?.leave(one) ?? false;
  }

  /** Removes and returns the work whose turn it is; undefined if the queue is empty. */
  takeNext(border: Priority | undefined): W | undefined {
    if (border === undefined) return this.#lineInTurn()?.take("oldest");
    const index = this.#lines.findIndex(({ length }) => length > 0);
    const line = this.#lines[index];
    return index >= firstThatGives(border) ? line?.take("newest") : line?.take("oldest");
  }

  /**
   * Removes and returns work that has waited since before an instant, from the border down. Never
   * critical work.
   */
  takeBefore({ since, border }: OverdueWork): readonly W[] {
    const lines = this.#lines.slice(firstThatGives(border));
    return lines.flatMap((line) => line.takeOldest(countBefore(line, since)));
  }

  /**
   * Counts the pieces of work that have waited since before an instant, and removes that many, the
   * least important first.
   *
   * Of the same priority, the oldest is removed first. Critical work is neither removed nor
   * counted. Work that continues to wait is counted again at each call. So the queue becomes
   * shorter until its first work has its turn in time.
   */
  takeForThoseBefore(since: number): readonly W[] {
    const lines = this.#lines.slice(1).reverse();
    const count = lines.reduce((sum, line) => sum + countBefore(line, since), 0);
    return lines.reduce<readonly W[]>(
      (taken, line) => taken.concat(line.takeOldest(count - taken.length)),
      [],
    );
  }

  /** Removes and returns critical work that has waited since before an instant. */
  takeCriticalBefore(since: number): readonly W[] {
    const [line] = this.#lines;
    return line === undefined ? [] : line.takeOldest(countBefore(line, since));
  }

  /** Removes and returns the work whose deadline has passed. */
  takeLate(now: number): readonly W[] {
    const late = this.#lines.flatMap((line) =>
      [...line.from("oldest")].filter(({ until }) => until <= now),
    );
    for (const one of late) this.remove(one);
    return late;
  }

  /**
   * Removes and returns the oldest of the least important work, if it matters less than `priority`.
   */
  takeLessThan(priority: Priority): W | undefined {
    const least = this.#lines.findLastIndex(({ length }) => length > 0);
    return least > PRIORITIES.indexOf(priority) ? this.#lines[least]?.take("oldest") : undefined;
  }

  /**
   * Returns the line of critical work if there is any, else the line whose first has waited
   * longest.
   */
  #lineInTurn(): MemberLine<W> | undefined {
    const [critical, ...others] = this.#lines;
    if (critical !== undefined && critical.length > 0) return critical;
    const lines = others.filter(({ length }) => length > 0);
    return lines.length === 0 ? undefined : lines.reduce(older);
  }
}

/** Returns the earliest deadline of some work; `Infinity` if there is none. Pure. */
export function earliestOf(all: Iterable<QueuedWork>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { until } of all) least = Math.min(least, until);
  return least;
}

/** Returns the index of the first line that loses work at a border: never that of critical work. */
function firstThatGives(border: Priority): number {
  return Math.max(1, PRIORITIES.indexOf(border));
}

/** Returns how many of a line, from its oldest, have waited since before an instant. */
function countBefore(line: MemberLine<QueuedWork>, since: number): number {
  let count = 0;
  for (const one of line.from("oldest")) {
    if (one.since >= since) break;
    count++;
  }
  return count;
}

/** Returns the one of two lines whose first has waited longer. Neither line may be empty. */
function older<W extends QueuedWork>(one: MemberLine<W>, other: MemberLine<W>): MemberLine<W> {
  return (other.first as W).since < (one.first as W).since ? other : one;
}
