/** From a checked limit to a plan: rate and period as exact arithmetic in whole numbers. */
import { type Kind, type Limit, milliseconds, type Plan, SpillwayError } from "../core/index.ts";
import { algorithms } from "./kinds.ts";
import { EXACT, mostInWindows } from "./ticks.ts";

/** How a kind counts: by drips each millisecond, by whole units, or by units times milliseconds. */
const COUNTS_BY: { readonly [K in Kind]: "drips" | "units" | "unit milliseconds" } = {
  "token bucket": "drips",
  "leaky bucket": "drips",
  "fixed window": "units",
  "sliding log": "units",
  "sliding window": "unit milliseconds",
  concurrency: "units",
};

/** Kinds from which units can be taken ahead of time. */
const RESERVABLE: ReadonlySet<Kind> = new Set(["token bucket", "leaky bucket", "fixed window"]);

/** Kinds whose instants are aligned to windows. */
const WINDOWED: ReadonlySet<Kind> = new Set(["fixed window", "sliding window"]);

/**
 * Makes a limit ready for exact arithmetic. Pure.
 *
 * @param limit One whose fields have been checked (`checkLimit` in `spillway/core`).
 * @throws SpillwayError `inexact-limit` where its numbers would pass 2⁵² ticks, or its waits 2⁵² ms, so
 *   that a double would have to round them.
 */
export function planFor(name: string, limit: Limit): Plan {
  const { kind } = limit;
  // A lease is to its time what a unit is to its period: it comes back when that is over.
  const rate = limit.kind === "concurrency" ? limit.capacity : limit.rate;
  const period = milliseconds(limit.kind === "concurrency" ? limit.ttl : limit.period) as number;
  const capacity = ("capacity" in limit ? limit.capacity : undefined) ?? rate;
  const maxReserved = ("maxReserved" in limit ? limit.maxReserved : undefined) ?? Infinity;
  const { ticksPerUnit, refillPerMs } = ticksOf(kind, { rate, period });
  const most = kind === "fixed window" ? mostInWindows({ rate, period }) : EXACT;
  const capacityTicks = exact(capacity * ticksPerUnit, {
    name,
    field: "capacity" in limit ? "capacity" : "rate",
    value: capacity,
    most,
  });
  const reservable = RESERVABLE.has(kind);
  const debtTicks =
    reservable && rate > 0 ? Math.min(maxReserved * ticksPerUnit, most - capacityTicks) : 0;
  if (maxReserved < Infinity)
    exact(capacityTicks + maxReserved * ticksPerUnit, {
      name,
      field: "maxReserved",
      value: maxReserved,
      most,
    });
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
    reservable,
    largest: capacity,
    largestReserved: Math.floor((capacityTicks + debtTicks) / ticksPerUnit),
    windowAlignment: WINDOWED.has(kind) ? period : 1,
    whenUnavailable: limit.whenUnavailable ?? "closed",
    shards: ("shards" in limit ? limit.shards : undefined) ?? 1,
    whole: undefined,
    algorithm: algorithms[kind],
  };
}

/** Ticks in a unit, and ticks that come back in a millisecond. */
function ticksOf(kind: Kind, { rate, period }: { rate: number; period: number }) {
  if (COUNTS_BY[kind] === "units") return { ticksPerUnit: 1, refillPerMs: 0 };
  if (COUNTS_BY[kind] === "unit milliseconds") return { ticksPerUnit: period, refillPerMs: 0 };
  const shared = greatestDivisor(rate, period);
  return { ticksPerUnit: period / shared, refillPerMs: rate / shared };
}

/** Euclid's algorithm. */
function greatestDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

type Place = { name: string; field: string; value: number; most: number };

function exact(ticks: number, place: Place): number {
  if (ticks <= place.most) return ticks;
  throw new SpillwayError({
    code: "inexact-limit",
    limit: place.name,
    field: place.field,
    value: place.value,
    expected: "numbers that can be computed exactly",
    hint: "Make it smaller or the period shorter; for buckets, round rate and period so that they share a larger divisor; for fixed windows, raise the rate",
  });
}
