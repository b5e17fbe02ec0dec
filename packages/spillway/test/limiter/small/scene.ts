/** Small limiters beside whole ones. */

import * as small from "../../../src/limiter/small/index.ts";
import type { Limit, Rate, RateKind } from "../../../src/limits/core/index.ts";

const KINDS = {
  "token bucket": small.tokenBucket,
  "fixed window": small.fixedWindow,
  "sliding window": small.slidingWindow,
  "sliding log": small.slidingLog,
  "leaky bucket": small.leakyBucket,
} as const satisfies { readonly [K in RateKind]: (fields: never) => small.SmallLimit };

/** A limit as a small limiter takes it; its fields may be wrong. */
export function smallOf({ kind, ...fields }: Limit | Rate): small.SmallLimit {
  const of = KINDS[kind as RateKind] as (fields: object) => small.SmallLimit;
  return of(fields);
}

/** The kinds that it has. */
export const SMALL_KINDS = Object.keys(KINDS) as readonly RateKind[];
