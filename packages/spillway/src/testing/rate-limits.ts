/** One limit of each kind of rate, for the cases that every store has to pass. */
import type { Limits } from "../limits/core/index.ts";

/** The limit that most cases ask. */
export const BUCKET = { kind: "token bucket", rate: 5, period: "1m" } as const;
/** The limits that the laws of rates are about: one of each kind. */
export const RATE_LIMITS = {
  bucket: BUCKET,
  other: { kind: "fixed window", rate: 3, period: "1m", start: 0 },
  window: { kind: "sliding window", rate: 5, period: "1m", start: 0 },
  log: { kind: "sliding log", rate: 5, period: "1m" },
  queue: { kind: "leaky bucket", rate: 5, period: "1m" },
} satisfies Limits;
