/** Converts a checked limit to a plan: its rate and period as exact arithmetic in whole numbers. */
import {
  type Concurrency,
  isConcurrency,
  type Limit,
  LONGEST_TIMER,
  milliseconds,
  type Plan,
  RATE_KINDS,
  type Rate,
  type RatePlan,
  SpillwayError,
} from "../core/index.ts";
import { algorithms } from "./kinds.ts";
import { concurrency, leases } from "./leases.ts";
import { lendingAlgorithms } from "./lending.ts";
import { rates } from "./rates.ts";
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
  const period = milliseconds(limit.period) as number;
  const capacity = ("capacity" in limit ? limit.capacity : undefined) ?? rate;
  const maxReserved = ("maxReserved" in limit ? limit.maxReserved : undefined) ?? Infinity;
  const { holds, windows, queues } = RATE_KINDS[kind];
  const share = shareOf(limit);
  const algorithm = (share > 0 ? lendingAlgorithms[kind] : undefined) ?? algorithms[kind];
  const { ticksPerUnit, refillPerMs, countsPerUnit } = algorithm.countsOf({ rate, period });
  const most = algorithm.mostTicks({ rate, period });
  const capacityField = "capacity" in limit ? "capacity" : "rate";
  const amounts = { capacity, capacityField, maxReserved, ticksPerUnit, most } as const;
  const capacityTicks = exactCapacity(name, amounts);
  const debtTicks =
    holds && rate > 0 ? Math.min(maxReserved * ticksPerUnit, most - capacityTicks) : 0;
  const inTime = startingInTime({ ...limit, period }, { ticksPerUnit, refillPerMs, capacityTicks });
  const reservableTicks = maxReserved < Infinity ? debtTicks : Math.min(debtTicks, inTime);
  return {
    limit: name,
    kind,
    rate,
    period,
    capacity,
    maxReserved,
    start: "start" in limit ? limit.start : undefined,
    ticksPerUnit,
    refillPerMs,
    capacityTicks,
    debtTicks,
    reservableTicks,
    countsPerUnit,
    mostCounts: Math.floor((most * countsPerUnit) / ticksPerUnit),
    reservable: holds,
    queues,
    largestReserved: Math.floor((capacityTicks + reservableTicks) / ticksPerUnit),
    share,
    windowAlignment: windows ? period : 1,
    algorithm,
    family: rates,
  };
}

type Amounts = Pick<Plan, "capacity" | "maxReserved" | "ticksPerUnit"> & {
  /** The field that defines the capacity. */
  readonly capacityField: "capacity" | "rate";
  readonly most: number;
};

/** Returns the ticks of a full key. Checks that those of its debt are exact as well. */
function exactCapacity(
  name: string,
  { capacity, capacityField, maxReserved, ticksPerUnit, most }: Amounts,
): number {
  const place = { name, field: capacityField, value: capacity, most };
  const ticks = exact(capacity * ticksPerUnit, place);
  if (maxReserved < Infinity) {
    const debtPlace = { name, field: "maxReserved", value: maxReserved, most };
    exact(ticks + maxReserved * ticksPerUnit, debtPlace);
  }
  return ticks;
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
  counts: Pick<RatePlan, "ticksPerUnit" | "refillPerMs" | "capacityTicks">,
): number {
  const { ticksPerUnit, refillPerMs, capacityTicks } = counts;
  const { windows, queues } = RATE_KINDS[kind];
  if (windows) return Math.floor(LONGEST_TIMER / period) * rate;
  // A product above 2⁵³ is inexact, but then it is more than a state can hold.
  const inTime = LONGEST_TIMER * refillPerMs;
  return queues ? Math.max(0, inTime + ticksPerUnit - capacityTicks) : inTime;
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

type BoundedField = { name: string; field: string; value: number; most: number };

function exact(ticks: number, place: BoundedField): number {
  if (ticks <= place.most) return ticks;
  throw new SpillwayError({
    code: "inexact-limit",
    limit: place.name,
    field: place.field,
    value: place.value,
    expected: "numbers that can be computed exactly",
    hint:
      "Make it smaller or the period shorter; for buckets, round rate and period so that " +
      "they share a larger divisor; for fixed windows, raise the rate",
  });
}
