/** What is answered while the store gives no answer: each limit's own `whenUnavailable`. */
import { planFor } from "../algorithms/index.ts";
import {
  type Ask,
  type Decision,
  type Limit,
  LONGEST,
  type Plan,
  SpillwayError,
} from "../core/index.ts";
import { type MemoryStore, memoryStore } from "../stores/memory/index.ts";

/** Keys that are counted in this process while the store is away. */
const MOST_LOCAL_KEYS = 100_000;

/** Answers without a store. */
export class Fallback {
  readonly #instances: number;
  readonly #plans = new WeakMap<Plan, Plan>();
  #local: MemoryStore | undefined;

  /** @param instances How many processes share the limits: each counts for its part of them. */
  constructor(instances: number) {
    this.#instances = instances;
  }

  /**
   * Decides on several asks, all or none. `take` charges what is counted here.
   *
   * @param retryAfter When the store is asked again, in milliseconds from now.
   */
  answer(asks: readonly Ask[], take: boolean, retryAfter: number): readonly Decision[] {
    const local = asks.filter(({ plan }) => plan.whenUnavailable === "local");
    const closed = asks.some(({ plan }) => plan.whenUnavailable === "closed");
    const counted = this.#count(local, take && !closed).values();
    return asks.map((ask) => {
      if (ask.plan.whenUnavailable === "local") return counted.next().value as Decision;
      return blind(ask.plan, retryAfter);
    });
  }

  #count(asks: readonly Ask[], take: boolean): readonly Decision[] {
    if (asks.length === 0) return [];
    this.#local ??= memoryStore({ maxKeys: MOST_LOCAL_KEYS });
    const own = asks.map((ask) => ({ ...ask, plan: this.#planFor(ask.plan) }));
    const decisions = take ? this.#local.limitAll(own) : this.#local.checkAll(own);
    return decisions.map((decision) => ({ ...decision, degraded: true }));
  }

  #planFor(plan: Plan): Plan {
    const known = this.#plans.get(plan);
    if (known !== undefined) return known;
    const part = planFor(plan.limit, shareOf(plan, this.#instances));
    this.#plans.set(plan, part);
    return part;
  }
}

/** Nothing is known but the limit: no unit is claimed to be left. */
function blind(plan: Plan, retryAfter: number): Decision {
  const ok = plan.whenUnavailable === "open";
  return {
    ok,
    limit: plan.limit,
    capacity: plan.capacity,
    remaining: 0,
    retryAfter: ok ? 0 : retryAfter,
    resetAfter: ok ? 0 : retryAfter,
    reason: ok ? undefined : "unavailable",
    degraded: true,
  };
}

/** One process's part of a limit: what drips, drips slower; the rest is divided, rounded down. */
function shareOf(plan: Plan, instances: number): Limit {
  const { kind, start, maxReserved } = plan;
  const slower = plan.period * instances;
  const drips = plan.gain > 0 && slower <= LONGEST;
  const rate = drips ? plan.rate : Math.floor(plan.rate / instances);
  const period = drips ? slower : plan.period;
  if (kind === "sliding log") return { kind, rate, period };
  if (kind === "sliding window")
    return { kind, rate, period, ...(start !== undefined && { start }) };
  const capacity = rate === 0 ? 0 : Math.floor(plan.capacity / instances);
  const share = { rate, period, capacity };
  const debt = maxReserved < Infinity ? { maxReserved: Math.floor(maxReserved / instances) } : {};
  if (kind !== "fixed window") return { kind, ...share, ...debt };
  return { kind, ...share, ...debt, ...(start !== undefined && { start }) };
}

/** For operations that have no answer without the store. */
export function unavailable(operation: string, limit: string, cause: Error): SpillwayError {
  return new SpillwayError({
    code: "unavailable",
    limit,
    field: "store",
    value: cause.message,
    expected: `an answer to \`${operation}\``,
    hint: "Try again when the store answers; nothing is known of what was done",
  });
}
