/** This project's store: as it is, with asks that travel alone, and with three limits at once. */
import type { Redis } from "ioredis";
import { type Decision, HOUR, RateLimiter } from "spillway";
import { redisStore } from "spillway/redis";
import { AMPLE } from "../ample.ts";
import type { RedisContender } from "./contender.ts";

const DAY = 24 * HOUR;

/** So that a moment in which the machine is busy elsewhere does not turn a call into a refusal. */
const PATIENT = { deadline: 5000 };

function admits({ ok, degraded }: Decision): boolean {
  return ok && !degraded;
}

/** What is asked in one turn of the event loop shares a script call. */
export const spillway: RedisContender<Decision> = {
  name: "spillway",
  async open(client) {
    const limiter = limiterOn(client, "one");
    return (key) => limiter.limit("hourly", { key });
  },
  admits,
};

/** The same, where each caller has a store of its own: there is nobody to share a call with. */
export const oneScriptPerAsk: RedisContender<Decision> = {
  name: "one script per ask",
  async open(client, callers) {
    const limiters = Array.from({ length: callers }, () => limiterOn(client, "one-alone"));
    return (key, caller) => (limiters[caller] as Limiter).limit("hourly", { key });
  },
  admits,
};

/** All or none of three limits of one key, in one decision. */
export const threeLimits: RedisContender<Decision> = {
  name: "three limits",
  async open(client) {
    const limiter = limiterOn(client, "three");
    return (key) => limiter.limitAll(threeOf(key));
  },
  admits,
};

/** The same, where each caller has a store of its own. */
export const threeLimitsPerScript: RedisContender<Decision> = {
  name: "three limits, one script per ask",
  async open(client, callers) {
    const limiters = Array.from({ length: callers }, () => limiterOn(client, "three-alone"));
    return (key, caller) => (limiters[caller] as Limiter).limitAll(threeOf(key));
  },
  admits,
};

const LIMITS = {
  hourly: AMPLE,
  daily: { ...AMPLE, rate: 10_000, period: DAY },
  weekly: { ...AMPLE, rate: 50_000, period: 7 * DAY },
} as const;

type Limiter = ReturnType<typeof limiterOn>;

/** @param prefix Sets its keys apart from those of the other contenders. */
function limiterOn(client: Redis, prefix: string) {
  const store = redisStore(client, { ...PATIENT, prefix });
  return new RateLimiter(LIMITS, { store });
}

function threeOf(key: string) {
  return [
    { limit: "hourly", key },
    { limit: "daily", key },
    { limit: "weekly", key },
  ] as const;
}
