import type { Random } from "../limits/core/index.ts";

/**
 * Creates a repeatable random source: the same seed gives the same numbers (SplitMix32).
 *
 * For tests and simulations, not for secrets.
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
  };
}
