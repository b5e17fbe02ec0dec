import { RateLimiterRedis, type RateLimiterRes } from "rate-limiter-flexible";
import { AMPLE } from "../ample.ts";
import type { RedisContender } from "./contender.ts";

/** A fixed window in `RateLimiterRedis`. A refusal is a rejected promise, which ends the run. */
export const rateLimiterFlexible: RedisContender<RateLimiterRes> = {
  name: "rate-limiter-flexible",
  async open(client) {
    const { capacity, period } = AMPLE;
    const limiter = new RateLimiterRedis({
      storeClient: client,
      points: capacity,
      duration: period / 1000,
    });
    return (key) => limiter.consume(key);
  },
  admits: ({ remainingPoints }) => remainingPoints >= 0,
};
