/** Converts a checked limit to a plan: its rate and period as exact arithmetic in whole numbers. */
import {
  type Concurrency,
  isConcurrency,
  type Limit,
  milliseconds,
  type Plan,
  type Problem,
  type Rate,
  type RatePlan,
  SpillwayError,
} from "../core/index.ts";
import { algorithms } from "./kinds.ts";
import { concurrency, leases } from "./leases.ts";
import { lendingAlgorithms } from "./lending.ts";
import { inexactField, ratePlanOf } from "./rate-plan.ts";
import { EXACT } from "./ticks.ts";

/**
 * Prepares a limit for exact arithmetic. Pure.
 *
 * A plan holds arithmetic only. The limit's `whenUnavailable` and `shards` take effect through the
 * `settings` of a budget.
 *
 * @param limit A limit whose fields have been checked (`checkLimit` in `spillway/core`).
 * @throws SpillwayError `inexact-limit` if its numbers exceed 2⁵² ticks or its waits 2⁵² ms, so
 * that a double would round them.
 */
export function planFor(name: string, limit: Limit): Plan {
  return isConcurrency(limit) ? leasePlan(name, limit) : ratePlan(name, limit);
}

function ratePlan(name: string, limit: Rate): RatePlan {
  const { kind, rate } = limit;
  const share = shareOf(limit);
  const plan = ratePlanOf(
    {
      limit: name,
      kind,
      rate,
      period: milliseconds(limit.period) as number,
      capacity: ("capacity" in limit ? limit.capacity : undefined) ?? rate,
      maxReserved: ("maxReserved" in limit ? limit.maxReserved : undefined) ?? Infinity,
      start: "start" in limit ? limit.start : undefined,
      share,
    },
    (share > 0 ? lendingAlgorithms[kind] : undefined) ?? algorithms[kind],
  );
  const inexact = inexactField(plan);
  if (inexact === undefined) return plan;
  const field = inexact === "capacity" && !("capacity" in limit) ? "rate" : inexact;
  throw inexactLimit({ limit: name, field, value: plan[field] });
}

/** Returns how long units are lent, in milliseconds; 0 if they are not lent. */
function shareOf(limit: Limit): number {
  const share = "share" in limit ? limit.share : undefined;
  return share === undefined ? 0 : (milliseconds(share) as number);
}

/**
 * Returns the plan of a concurrency limit. Its `ttl` takes the place of a period: a unit comes back
 * when its lease expires.
 */
function leasePlan(name: string, limit: Concurrency): Plan {
  const { kind, capacity } = limit;
  return {
    limit: name,
    kind,
    rate: capacity,
    period: milliseconds(limit.ttl) as number,
    capacity,
    maxReserved: Infinity,
    start: undefined,
    ticksPerUnit: 1,
    refillPerMs: 0,
    capacityTicks: capacity,
    debtTicks: 0,
    reservableTicks: 0,
    countsPerUnit: 1,
    mostCounts: EXACT,
    reservable: false,
    queues: false,
    largestReserved: capacity,
    share: shareOf(limit),
    windowAlignment: 1,
    algorithm: concurrency,
    family: leases,
  };
}

function inexactLimit(place: Pick<Problem, "limit" | "field" | "value">): SpillwayError {
  return new SpillwayError({
    code: "inexact-limit",
    ...place,
    expected: "numbers that can be computed exactly",
    hint:
      "Make it smaller or the period shorter; for buckets, round rate and period so that " +
      "they share a larger divisor; for fixed windows, raise the rate",
  });
}
