/** The plan of a rate: its numbers as exact arithmetic in whole numbers. Checks nothing. */
import {
  LONGEST_TIMER,
  type Plan,
  RATE_KINDS,
  type RateAlgorithm,
  type RatePlan,
} from "../core/index.ts";
import { rates } from "./rates.ts";

/** The numbers of a rate, with their defaults. */
export type RateNumbers = Pick<
  RatePlan,
  "limit" | "kind" | "rate" | "period" | "capacity" | "maxReserved" | "start" | "share"
>;

/**
 * Returns the plan of a rate. Pure.
 *
 * @param numbers Numbers within the ranges of their fields. They may still be inexact together: see
 * `inexactField`.
 */
export function ratePlanOf(numbers: RateNumbers, algorithm: RateAlgorithm): RatePlan {
  const { rate, period, capacity, maxReserved } = numbers;
  const { holds, windows, queues } = RATE_KINDS[numbers.kind];
  const counts = algorithm.countsOf({ rate, period });
  const { ticksPerUnit, countsPerUnit } = counts;
  const most = algorithm.mostTicks({ rate, period });
  const capacityTicks = capacity * ticksPerUnit;
  const debtTicks =
    holds && rate > 0 ? Math.min(maxReserved * ticksPerUnit, most - capacityTicks) : 0;
  const inTime = startingInTime(numbers, { ...counts, capacityTicks });
  const reservableTicks = maxReserved < Infinity ? debtTicks : Math.min(debtTicks, inTime);
  return {
    limit: numbers.limit,
    kind: numbers.kind,
    rate,
    period,
    capacity,
    maxReserved,
    start: numbers.start,
    ticksPerUnit,
    refillPerMs: counts.refillPerMs,
    capacityTicks,
    debtTicks,
    reservableTicks,
    countsPerUnit,
    mostCounts: Math.floor((most * countsPerUnit) / ticksPerUnit),
    reservable: holds,
    queues,
    largestReserved: Math.floor((capacityTicks + reservableTicks) / ticksPerUnit),
    share: numbers.share,
    windowAlignment: windows ? period : 1,
    algorithm,
    family: rates,
  };
}

/**
 * Returns the field of a rate that makes its ticks exceed what a double holds exactly, so that
 * waits would be rounded; undefined if there is none. Pure.
 */
export function inexactField(plan: RatePlan): "capacity" | "maxReserved" | undefined {
  const { capacityTicks, maxReserved, ticksPerUnit } = plan;
  const most = plan.algorithm.mostTicks(plan);
  if (!(capacityTicks <= most)) return "capacity";
  if (maxReserved === Infinity) return undefined;
  return capacityTicks + maxReserved * ticksPerUnit <= most ? undefined : "maxReserved";
}

/**
 * Returns the maximum number of ticks to take ahead of time so that all work starts within
 * `LONGEST_TIMER`.
 *
 * A fixed window may have just begun, so only whole windows count. In a queue, the capacity counts
 * too, and the last unit of a call must start within that time.
 */
function startingInTime(
  { kind, rate, period }: Pick<RatePlan, "kind" | "rate" | "period">,
  counts: Pick<Plan, "ticksPerUnit" | "refillPerMs" | "capacityTicks">,
): number {
  const { ticksPerUnit, refillPerMs, capacityTicks } = counts;
  const { windows, queues } = RATE_KINDS[kind];
  if (windows) return Math.floor(LONGEST_TIMER / period) * rate;
  // A product above 2⁵³ is inexact, but then it is more than a state can hold.
  const inTime = LONGEST_TIMER * refillPerMs;
  return queues ? Math.max(0, inTime + ticksPerUnit - capacityTicks) : inTime;
}
