import type { Random } from "../../limits/core/index.ts";

/** Returns a random duration, in milliseconds. */
export type Distribution = (random: Random) => number;

/** Returns a distribution that is always the same duration. */
export const fixed = (ms: number): Distribution => {
  return () => ms;
};

/**
 * Returns an exponential distribution: most durations are short, and the time passed says nothing
 * about the time left.
 */
export const exponential = (mean: number): Distribution => {
  return (random) => -mean * Math.log(1 - random());
};

/**
 * Returns a log-normal distribution, which has a long tail.
 *
 * @param options.sigma The standard deviation of the logarithm. Default: 1, which makes the p99 six
 * times the mean.
 */
export function lognormal(options: { readonly mean: number; readonly sigma?: number }) {
  const { mean, sigma = 1 } = options;
  const mu = Math.log(mean) - sigma ** 2 / 2;
  const draw: Distribution = (random) => Math.exp(mu + sigma * normal(random));
  return draw;
}

/** Returns a random number from the standard normal distribution (Box–Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
