/** Limits and asks of every size that a limit may have, edges included. */
import fc from "fast-check";
import { RateLimiter } from "../../src/limiter/index.ts";
import { planFor } from "../../src/limits/algorithms/index.ts";
import {
  type Limit,
  LONGEST,
  MOST_UNITS,
  type Plan,
  RATE_KINDS,
  type RateKind,
} from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { type ManualClock, manualClock } from "../../src/testing/index.ts";

export const KINDS = Object.keys(RATE_KINDS) as RateKind[];

/** Small numbers often, so that asks meet the edges; any number now and then. */
const units = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: MOST_UNITS }) },
);
const period = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: LONGEST }) },
);
const start = fc.integer({ min: -1_000_000, max: 4_000_000_000_000 });

/** A limit of a kind. Those that cannot be computed exactly are left out; they are refused. */
export function limitOf(kind: RateKind): fc.Arbitrary<Limit> {
  const { holds, windows } = RATE_KINDS[kind];
  const fields = {
    kind: fc.constant(kind),
    rate: units,
    period,
    ...(holds ? { capacity: units, maxReserved: fc.integer({ min: 0, max: 30 }) } : {}),
    ...(windows ? { start } : {}),
  };
  const limit = fc.record(fields, { requiredKeys: ["kind", "rate", "period"] });
  return (limit as fc.Arbitrary<Limit>).filter(exact);
}

export const anyLimit = fc.constantFrom(...KINDS).chain(limitOf);

function exact(limit: Limit): boolean {
  try {
    planFor("it", limit);
    return true;
  } catch {
    return false;
  }
}

/** An ask, and how much later it comes, as a share of the limit's period. */
export type Step = { readonly pause: number; readonly count: number; readonly reserve: boolean };

export const steps = fc.array(
  fc.record({
    pause: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1.2, noNaN: true })),
    count: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 14 })),
    reserve: fc.boolean(),
  }),
  { maxLength: 40, size: "max" },
);

/** A limiter of one limit called `it`, its clock and its plan. */
export type Bench = {
  readonly limiter: RateLimiter<{ it: Limit }>;
  readonly clock: ManualClock;
  readonly plan: Plan;
};

export function bench(limit: Limit, maxKeys = 1000): Bench {
  const clock = manualClock();
  const store = memoryStore({ clock, maxKeys, warn: () => {} });
  const limiter = new RateLimiter({ it: limit }, { store, warn: () => {} });
  return { limiter, clock, plan: planFor("it", limit) };
}

/** The step's pause in milliseconds, and the ask as this limit can be asked. */
export function fitted(step: Step, plan: Plan) {
  const ms = Math.floor(step.pause * plan.period);
  const ask = { key: "k", count: step.count, reserve: step.reserve && plan.reservable };
  return { ms, ask };
}
