/** Candidates that are compared: strangers may choose what is typed, and there may be any number. */
const MOST_CANDIDATES = 1000;
/** Pairs of letters that are compared: some 30 µs. */
const MOST_PAIRS = 5000;
/** What is longer is not a name mistyped. */
const LONGEST = 64;

/**
 * The candidate nearest to what was typed, or undefined where none is near. Pure.
 *
 * The work is bounded, whatever the number of candidates and their lengths: the first are compared.
 */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  if (typed.length > LONGEST) return undefined;
  let best: string | undefined;
  const lowered = typed.toLowerCase();
  let least = Math.floor(typed.length / 3) + 1;
  let [left, pairs] = [MOST_CANDIDATES, MOST_PAIRS];
  for (const candidate of candidates) {
    if (left-- === 0) break;
    // Each letter too many or too few is a step.
    if (Math.abs(typed.length - candidate.length) >= least) continue;
    pairs -= typed.length * candidate.length;
    if (pairs < 0) break;
    const steps = distance(lowered, candidate.toLowerCase());
    if (steps < least) [least, best] = [steps, candidate];
  }
  return best;
}

/** How many letters must be added, dropped, changed or swapped with the next (Damerau 1964). */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    const letter = from.charCodeAt(i - 1);
    for (let j = 1; j <= to.length; j++) {
      const isSame = letter === to.charCodeAt(j - 1);
      const changed = (last[j - 1] as number) + (isSame ? 0 : 1);
      const added = 1 + Math.min(last[j] as number, row[j - 1] as number);
      let least = changed < added ? changed : added;
      const isSwapped =
        i > 1 &&
        j > 1 &&
        letter === to.charCodeAt(j - 2) &&
        from.charCodeAt(i - 2) === to.charCodeAt(j - 1);
      if (isSwapped) least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[to.length] as number;
}
