/**
 * The maximum number of candidates compared: callers may choose the typed text, and there may be
 * any number of candidates.
 */
const MOST_CANDIDATES = 1000;
/** The maximum number of pairs of letters compared, which takes some 30 µs. */
const MOST_PAIRS = 5000;
/** A longer text is not a mistyped name. */
const LONGEST = 64;

/**
 * Returns the candidate nearest to a typed text; undefined if none is near. Pure.
 *
 * The work is bounded for any number of candidates, because only the first ones are compared.
 */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  if (typed.length > LONGEST) return undefined;
  let best: string | undefined;
  const lowered = typed.toLowerCase();
  let least = Math.floor(typed.length / 3) + 1;
  let [left, pairs] = [MOST_CANDIDATES, MOST_PAIRS];
  for (const candidate of candidates) {
    if (left-- === 0) break;
    // Each letter of difference in length is a step.
    if (Math.abs(typed.length - candidate.length) >= least) continue;
    pairs -= typed.length * candidate.length;
    if (pairs < 0) break;
    const steps = distance(lowered, candidate.toLowerCase());
    if (steps < least) [least, best] = [steps, candidate];
  }
  return best;
}

/**
 * Returns how many letters must be added, dropped, changed or swapped with the next one (Damerau
 * 1964).
 */
function distance(from: string, to: string): number {
  const width = to.length + 1;
  // A row for each letter, and one before the first.
  const steps = new Uint16Array((from.length + 1) * width);
  for (let column = 0; column < width; column++) steps[column] = column;
  for (let i = 1; i <= from.length; i++) {
    const letter = from.charCodeAt(i - 1);
    steps[i * width] = i;
    for (let j = 1; j < width; j++) {
      const cell = i * width + j;
      const changed =
        (steps[cell - width - 1] as number) + (letter === to.charCodeAt(j - 1) ? 0 : 1);
      let least = Math.min(
        changed,
        (steps[cell - width] as number) + 1,
        (steps[cell - 1] as number) + 1,
      );
      if (i > 1 && j > 1 && letter === to.charCodeAt(j - 2)) {
        const isSwapped = from.charCodeAt(i - 2) === to.charCodeAt(j - 1);
        if (isSwapped) least = Math.min(least, (steps[cell - 2 * width - 2] as number) + 1);
      }
      steps[cell] = least;
    }
  }
  return steps[steps.length - 1] as number;
}
