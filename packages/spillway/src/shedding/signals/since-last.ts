import type { Signal } from "../signal.ts";

/** Returns the current reading of a counter that only grows; undefined if there is none. */
export type Counter<Reading> = () => Reading | undefined;

/** Two readings of one counter. */
export type CounterInterval<Reading> = { readonly before: Reading; readonly now: Reading };

/**
 * Creates a signal from the growth of a counter since the last read; at first, since it was
 * created.
 *
 * It keeps the reading itself, not a difference. Each window ends where the next begins, so that a
 * quiet hour does not affect the busy second after it.
 */
export function sinceLast<Reading>(
  read: Counter<Reading>,
  measure: (span: CounterInterval<Reading>) => number | undefined,
): Signal {
  let last = firstReading(read);
  return () => {
    const before = last;
    // If this read throws, the next window can't begin where this one did.
    last = undefined;
    const now = read();
    last = now;
    return before === undefined || now === undefined ? undefined : measure({ before, now });
  };
}

/** Some runtimes have a counter that only throws. Then the signal throws, not its creation. */
function firstReading<Reading>(read: Counter<Reading>): Reading | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
