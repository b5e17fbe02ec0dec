/** The limits of the conformance cases for rates. */
import type { Limits } from "../limits/core/index.ts";

/** The limit that most cases use. */
export const BUCKET = { kind: "token bucket", rate: 5, period: "1m" } as const;
/** One limit of each kind of rate. */
export const RATE_LIMITS = {
  bucket: BUCKET,
  other: { kind: "fixed window", rate: 3, period: "1m", start: 0 },
  window: { kind: "sliding window", rate: 5, period: "1m", start: 0 },
  log: { kind: "sliding log", rate: 5, period: "1m" },
  queue: { kind: "leaky bucket", rate: 5, period: "1m" },
} satisfies Limits;
