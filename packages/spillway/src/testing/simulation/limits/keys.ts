import { badOption, checkOptions, checkWhole } from "../../../internal/index.ts";
import type { Random } from "../../../limits/core/index.ts";

/**
 * Draws keys of which few are asked for often and many rarely: the n-th as often as 1/nˢ.
 *
 * @param options.keys How many there are: 1 to a million.
 * @param options.exponent s: 0, where all are as likely, to 10. Default: 1, as with words and visitors.
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

/** The first place of a rising list at which it is above a value. */
function firstAbove(sums: Float64Array, value: number): number {
  let [from, to] = [0, sums.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sums[middle] as number) > value) to = middle;
    else from = middle + 1;
  }
  return from;
}
