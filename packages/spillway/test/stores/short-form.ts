import type { ConformanceCase } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";

const DEFINITIONS = /^shares: definitions: /;
/** Cases that ask hundreds of times, */
const LONG = /take turns within|in a deploy|locks nobody out/;
/** and those of them that are made all the same: each kind of which units are lent, before and after another. */
const LENT_PAIRS =
  /a token bucket and a fixed window|a fixed window and a sliding window|a sliding window and a token bucket/;

/** Hundreds of calls, which the suite without shares makes over each way as well. */
const SIZES =
  /shares: (?:keeps many keys|keeps each (?:entry|of many)|adds up what is taken unit by unit)/;

/**
 * The cases of `shareConformance` that `npm test` has time for: those of several definitions take seconds, so it makes
 * the essential ones, by the first way to reach a store, as it does with those of many items. `npm run soak` makes all, in
 * each way.
 */
export function shortForm(
  cases: readonly ConformanceCase[],
  { isFirst }: { readonly isFirst: boolean },
): readonly ConformanceCase[] {
  if (runs(1) > 1) return cases;
  const isShort = (name: string) => !LONG.test(name) || LENT_PAIRS.test(name);
  const isOfAll = (name: string) => !DEFINITIONS.test(name) && !SIZES.test(name);
  return cases.filter(({ name }) => isOfAll(name) || (isFirst && isShort(name)));
}
