import type { Limit, Plan } from "../core/index.ts";

/** The numbers in which a limit may differ from the one that it is made from. */
type Numbers = Pick<Plan, "rate" | "period" | "capacity" | "maxReserved" | "shards">;

/** The limit that a plan was made from, or one of its kind with other numbers. Pure. */
export function limitOf(plan: Plan, numbers: Partial<Numbers> = {}): Limit {
  const { rate, period, capacity, maxReserved, shards } = { ...plan, ...numbers };
  const { kind, whenUnavailable } = plan;
  if (kind === "concurrency") return { kind, capacity, ttl: period, whenUnavailable };
  const pace = { rate, period, shards, whenUnavailable };
  const start = plan.start === undefined ? {} : { start: plan.start };
  if (kind === "sliding log") return { kind, ...pace };
  if (kind === "sliding window") return { kind, ...pace, ...start };
  const debt = maxReserved < Infinity ? { maxReserved } : {};
  const holding = { ...pace, capacity, ...debt };
  return kind === "fixed window" ? { kind, ...holding, ...start } : { kind, ...holding };
}
