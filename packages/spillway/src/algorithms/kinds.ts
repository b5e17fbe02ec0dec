import type { Algorithm, Kind } from "../core/index.ts";
import { concurrency } from "./concurrency.ts";
import { fixedWindow } from "./fixed-window.ts";
import { leakyBucket } from "./leaky-bucket.ts";
import { slidingLog } from "./sliding-log.ts";
import { slidingWindow } from "./sliding-window.ts";
import { tokenBucket } from "./token-bucket.ts";

/** Every kind's arithmetic, by its name. */
export const algorithms: { readonly [K in Kind]: Algorithm } = {
  "token bucket": tokenBucket,
  "fixed window": fixedWindow,
  "sliding window": slidingWindow,
  "sliding log": slidingLog,
  "leaky bucket": leakyBucket,
  concurrency,
};
