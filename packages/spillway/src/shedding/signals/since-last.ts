import type { Signal } from "../signal.ts";

/** A counter that only grows, as it stands now; undefined where there is none. */
export type Counter<Reading> = () => Reading | undefined;

/** Two readings of one counter. */
export type CounterInterval<Reading> = { readonly before: Reading; readonly now: Reading };

/**
 * Makes a signal of what a counter gained since it was last read; at first, since it was made.
 *
 * What is kept is the reading itself, never a difference: each window ends where the next begins,
 * so that a quiet hour before a busy second leaves no trace in it.
 */
export function sinceLast<Reading>(
  read: Counter<Reading>,
  measure: (span: CounterInterval<Reading>) => number | undefined,
): Signal {
  let last = firstReading(read);
  return () => {
    const before = last;
    // Should reading fail now, the next window can't begin where this one did.
    last = undefined;
    const now = read();
    last = now;
    return before === undefined || now === undefined ? undefined : measure({ before, now });
  };
}

/** A runtime may offer a counter that only throws: that fails when it is read, not here. */
function firstReading<Reading>(read: Counter<Reading>): Reading | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
