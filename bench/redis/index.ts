/** Who is asked, in the order in which tables show them; the first is what the others are held to. */
import type { RedisContender } from "./contender.ts";
import { increment, noOp, twoKeyBucket } from "./plain.ts";
import { rateLimiterFlexible } from "./rate-limiter-flexible.ts";
import { oneScriptPerAsk, spillway, threeLimits, threeLimitsPerScript } from "./spillway.ts";

/** With many calls in flight. */
export const crowd: readonly RedisContender[] = [
  spillway,
  rateLimiterFlexible,
  oneScriptPerAsk,
  noOp,
  twoKeyBucket,
  increment,
  threeLimits,
  threeLimitsPerScript,
];

/** With one. */
export const queue: readonly RedisContender[] = [spillway, rateLimiterFlexible, noOp];
