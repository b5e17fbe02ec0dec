import { type Limit, type Plan, RATE_KINDS, type RateKind } from "../core/index.ts";

/** The numbers in which a limit may differ from its plan. */
export type PlanNumbers = Pick<Plan, "rate" | "period" | "capacity" | "maxReserved">;

/**
 * Returns the limit of a plan, without its settings, or a limit of that kind with other numbers.
 * Pure.
 */
export function limitOf(plan: Plan, numbers: Partial<PlanNumbers> = {}): Limit {
  const { rate, period, capacity, maxReserved } = { ...plan, ...numbers };
  const { kind, start, share } = plan;
  const lent = share === 0 ? {} : { share };
  if (kind === "concurrency") return { kind, capacity, ttl: period, ...lent };
  return {
    kind,
    rate,
    period,
    ...(RATE_KINDS[kind].holds ? { capacity } : {}),
    ...(maxReserved < Infinity ? { maxReserved } : {}),
    ...(start === undefined ? {} : { start }),
    ...lent,
  } as { readonly kind: RateKind } & Limit;
}
