/** This project's limiter, the same behind all frameworks. */
import { Redis } from "ioredis";
import { RateLimiter, type Store } from "spillway";
import { memoryStore } from "spillway/memory";
import { redisStore } from "spillway/redis";
import type { Place } from "./framework.ts";
import { AMPLE, KEY, SCARCE } from "./requests.ts";

const LIMITS = {
  ample: { kind: "token bucket", ...AMPLE },
  scarce: { kind: "token bucket", ...SCARCE },
} as const;

/** A machine that is busy elsewhere does not turn an answer into a refusal. */
const PATIENT = { deadline: 5000 };

export function limiterAt({ redis }: Place) {
  const store: Store = redis === undefined ? memoryStore() : redisStore(clientOf(redis), PATIENT);
  return new RateLimiter(LIMITS, { store });
}

function clientOf(url: string): Redis {
  return new Redis(url, { autoResendUnfulfilledCommands: false });
}

/** The limits of the two routes, by the key that a function reads. */
export function routes<R>(key: (request: R) => string) {
  return {
    admitted: { limit: "ample", key },
    refused: { limit: "scarce", key },
  } as const;
}

/** The key of a request of `node:http`, and of what is made of it. */
export function keyOf({
  headers,
}: {
  readonly headers: { readonly [name: string]: unknown };
}): string {
  return String(headers[KEY]);
}
