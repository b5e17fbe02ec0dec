import { expect, test } from "vitest";
import { agree, limitOf, planFor } from "../../../src/limits/algorithms/index.ts";
import type { Limit } from "../../../src/limits/core/index.ts";

test.each<Limit>([
  { kind: "token bucket", rate: 3, period: "1m", capacity: 7, maxReserved: 2, share: "5s" },
  { kind: "fixed window", rate: 3, period: "1m", start: 5, share: "5s" },
  { kind: "sliding window", rate: 3, period: "1m" },
  { kind: "sliding log", rate: 3, period: "1m" },
  { kind: "leaky bucket", rate: 3, period: "1m", capacity: 0 },
  { kind: "concurrency", capacity: 3, ttl: "1m" },
  { kind: "concurrency", capacity: 3, ttl: "1m", share: "5s" },
])("the limit of a plan is one whose plan agrees with it: %j", (limit) => {
  const plan = planFor("it", limit);
  const again = planFor("it", limitOf(plan));
  expect(agree(plan, again)).toBe(true);
  expect(again.share).toBe(plan.share);
});
