/** Checks that a limit can set the pace of jobs. */
import { limitNamed } from "../../internal/index.ts";
import {
  type LeakyBucket,
  type Limit,
  SpillwayError,
  type TokenBucket,
} from "../../limits/core/index.ts";

/**
 * Returns the limit that sets the pace. @throws SpillwayError `unknown-limit`, `wrong-kind`,
 * `bad-limit`
 */
export function paceLimit(
  limits: { readonly [name: string]: Limit },
  limit: string,
): LeakyBucket | TokenBucket {
  const found = limitNamed(limits, limit);
  if (found.kind !== "leaky bucket" && found.kind !== "token bucket") {
    const expected = "a leaky bucket, or a token bucket with maxReserved, whose starts are spaced";
    throw new SpillwayError({
      code: "wrong-kind",
      limit,
      field: "kind",
      value: found.kind,
      expected,
    });
  }
  return checked(found, limit);
}

/** Checks that jobs can start, and that the number of waiting jobs is bounded. */
function checked(found: LeakyBucket | TokenBucket, limit: string): LeakyBucket | TokenBucket {
  const bad = (field: string, value: unknown, expected: string) =>
    new SpillwayError({ code: "bad-limit", limit, field, value, expected });
  if (found.rate === 0) throw bad("rate", 0, "at least 1: at a rate of 0, no job ever starts");
  if (found.kind === "leaky bucket") {
    if ((found.capacity ?? found.rate) > 0) return found;
    throw bad("capacity", 0, "the most jobs that wait or run, at least 1");
  }
  if (found.maxReserved === undefined) {
    throw bad("maxReserved", undefined, "the most units that may wait: a queue needs a bound");
  }
  if (found.shards !== undefined && found.shards > 1) {
    throw bad("shards", found.shards, "1: one queue keeps the order of the jobs");
  }
  return found;
}
