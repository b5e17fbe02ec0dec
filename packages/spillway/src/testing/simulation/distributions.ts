import type { Random } from "../../limits/core/index.ts";

/** Draws how many milliseconds something takes. */
export type Distribution = (random: Random) => number;

/** Always the same. */
export const fixed = (ms: number): Distribution => {
  return () => ms;
};

/** Exponential: most are short, and how long one has taken doesn't say how long it still takes. */
export const exponential = (mean: number): Distribution => {
  return (random) => -mean * Math.log(1 - random());
};

/**
 * A heavy tail: the logarithm is normal.
 *
 * @param options.sigma The deviation of the logarithm. Default: 1, of which the p99 is 6 × the mean.
 */
export function lognormal(options: { readonly mean: number; readonly sigma?: number }) {
  const { mean, sigma = 1 } = options;
  const mu = Math.log(mean) - sigma ** 2 / 2;
  const draw: Distribution = (random) => Math.exp(mu + sigma * normal(random));
  return draw;
}

/** A standard normal number (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
