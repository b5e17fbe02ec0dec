/**
 * Leaky bucket: asks queue in the bucket, which leaks `refillPerMs` ticks each millisecond; work starts
 * when all that was before it has leaked out. A token bucket seen from the other side: what is
 * missing there is what waits here, so only the start differs, and what settling may do.
 */
import type { Algorithm } from "../core/index.ts";
import { admitted } from "./answers.ts";
import { dripTime, missing, tokenBucket } from "./token-bucket.ts";

/** The steps of a leaky bucket. */
export const leakyBucket: Algorithm = {
  ...tokenBucket,
  decide(state, plan, amount, now) {
    const decision = tokenBucket.decide(state, plan, amount, now);
    if (!decision.ok) return decision;
    const ahead = missing(state, plan, now);
    return admitted(plan, {
      remaining: decision.remaining,
      retryAfter: dripTime(state, plan, ahead, now),
      resetAfter: decision.resetAfter,
    });
  },

  settle(state, plan, { reserved, used }, now) {
    // Starts already promised cannot be moved: closing the gap would let two of them coincide.
    const settlement = { reserved, used: Math.max(reserved, used) };
    tokenBucket.settle(state, plan, settlement, now);
  },
};
