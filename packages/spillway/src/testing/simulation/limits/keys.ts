import { badOption, checkOptions, checkWhole } from "../../../internal/index.ts";
import type { Random } from "../../../limits/core/index.ts";

/**
 * Returns a function that draws keys by Zipf's law: the n-th key is drawn in proportion to 1/nˢ.
 *
 * @param options.keys The number of keys, from 1 to 1,000,000.
 * @param options.exponent The exponent s, from 0 to 10. With 0 all keys are equally likely.
 * Default: 1, which is typical of words and visitors.
 * @throws SpillwayError `bad-option`, `unknown-field`
 */
export function zipf(options: {
  readonly keys: number;
  readonly exponent?: number;
}): (random: Random) => string {
  checkOptions("zipf", options, ["keys", "exponent"]);
  const { keys, exponent = 1 } = options;
  checkWhole("keys", keys, { most: 1_000_000 });
  if (!(exponent >= 0 && exponent <= 10)) {
    throw badOption("exponent", exponent, "a number from 0 to 10");
  }
  const sums = new Float64Array(keys);
  let sum = 0;
  for (let n = 0; n < keys; n++) {
    sum += 1 / (n + 1) ** exponent;
    sums[n] = sum;
  }
  return (random) => `key ${1 + firstAbove(sums, random() * sum)}`;
}

/** Returns the first index at which a rising list is above a value; the last index if none is. */
function firstAbove(sums: Float64Array, value: number): number {
  let [from, to] = [0, sums.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sums[middle] as number) > value) to = middle;
    else from = middle + 1;
  }
  return from;
}
