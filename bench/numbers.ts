/** What is in the middle of numbers, and how far they are apart. All pure. */

/** The middle of numbers; of the two middle ones, their mean. */
export function median(numbers: readonly number[]): number {
  return between(sortedOf(numbers), 0.5);
}

/** The least of some numbers that such a part of them does not exceed: 0.99 for 99 %. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = sortedOf(numbers);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/**
 * How far the middle half of numbers reaches, as a part of their median: 0.1 where half of them are within 10 %.
 *
 * It says how noisy rounds were, and is not moved by one round that was disturbed.
 */
export function relativeSpread(numbers: readonly number[]): number {
  const sorted = sortedOf(numbers);
  return Math.abs((between(sorted, 0.75) - between(sorted, 0.25)) / between(sorted, 0.5));
}

function sortedOf(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => a - b);
}

/** The number at a part of the way through sorted ones, on the line between its neighbours. */
function between(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
