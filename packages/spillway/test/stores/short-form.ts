import type { ConformanceCase } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";

/** Cases that ask hundreds of times, */
const LONG = /take turns within|in a deploy|locks nobody out/;
/** and those of them that are made all the same: each kind of which units are lent, before and after another. */
const LENT_PAIRS =
  /a token bucket and a fixed window|a fixed window and a sliding window|a sliding window and a token bucket/;

/** Cases about lending itself. The others are made over each way without shares as well. */
const LENDING = /worked out by hand.*\bshares?\b|, seed \d+$/;

/**
 * The cases of `shareConformance` that `npm test` has time for: by the first way to reach a store all but most of those
 * that take seconds, and by the others those about lending itself. `npm run soak` makes all, in each way.
 */
export function shortForm(
  cases: readonly ConformanceCase[],
  { isFirst }: { readonly isFirst: boolean },
): readonly ConformanceCase[] {
  if (runs(1) > 1) return cases;
  const isShort = (name: string) => !LONG.test(name) || LENT_PAIRS.test(name);
  return cases.filter(({ name }) => LENDING.test(name) || (isFirst && isShort(name)));
}
