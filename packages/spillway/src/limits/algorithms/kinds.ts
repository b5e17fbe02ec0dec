import type { RateAlgorithm, RateKind } from "../core/index.ts";
import { fixedWindow } from "./fixed-window.ts";
import { slidingLog } from "./sliding-log.ts";
import { slidingWindow } from "./sliding-window.ts";
import { tokenBucket } from "./token-bucket.ts";

/** The arithmetic of each kind of rate. */
export const algorithms: { readonly [K in RateKind]: RateAlgorithm } = {
  "token bucket": tokenBucket,
  "fixed window": fixedWindow,
  "sliding window": slidingWindow,
  "sliding log": slidingLog,
  // Its units leak out as those of a token bucket are refilled. It differs only in that calls
  // queue.
  "leaky bucket": tokenBucket,
};
