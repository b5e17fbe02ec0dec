/** The candidate nearest to what was typed, or undefined where none is near. Pure. */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  if (typed.length > 100) return undefined;
  let best: string | undefined;
  let least = Math.floor(typed.length / 3) + 1;
  for (const candidate of candidates) {
    // Each letter too many or too few is a step.
    if (Math.abs(typed.length - candidate.length) >= least) continue;
    const steps = distance(typed.toLowerCase(), candidate.toLowerCase());
    if (steps < least) {
      least = steps;
      best = candidate;
    }
  }
  return best;
}

/** How many letters must be added, dropped, changed or swapped with the next (Damerau 1964). */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      rows[i]?.push(
        Math.min(
          at(i - 1, j - 1) + (same ? 0 : 1),
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
