/** This project and its peers, in the order in which tables show them. */
import { expressRateLimit } from "./express-rate-limit.ts";
import { honoRateLimiter } from "./hono-rate-limiter.ts";
import { limiter } from "./limiter.ts";
import type { Peer } from "./peer.ts";
import { rateLimiterFlexible } from "./rate-limiter-flexible.ts";
import { spillway } from "./spillway.ts";

export const peers: readonly Peer[] = [
  spillway,
  rateLimiterFlexible,
  expressRateLimit,
  honoRateLimiter,
  limiter,
];
