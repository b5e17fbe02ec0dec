import { type Limit, type Plan, RATE_KINDS, type RateKind } from "../core/index.ts";

/** The numbers in which a limit may differ from the one that it is made from. */
type Numbers = Pick<Plan, "rate" | "period" | "capacity" | "maxReserved" | "shards">;

/** The limit that a plan was made from, or one of its kind with other numbers. Pure. */
export function limitOf(plan: Plan, numbers: Partial<Numbers> = {}): Limit {
  const { rate, period, capacity, maxReserved, shards } = { ...plan, ...numbers };
  const { kind, start, whenUnavailable } = plan;
  if (kind === "concurrency") return { kind, capacity, ttl: period, whenUnavailable };
  return {
    kind,
    rate,
    period,
    shards,
    whenUnavailable,
    ...(RATE_KINDS[kind].holds ? { capacity } : {}),
    ...(maxReserved < Infinity ? { maxReserved } : {}),
    ...(start === undefined ? {} : { start }),
  } as { readonly kind: RateKind } & Limit;
}
