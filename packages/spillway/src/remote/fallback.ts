/** What is answered while the store gives no answer: each limit's own `whenUnavailable`. */
import { degraded, limitOf, planFor, wholeKey } from "../algorithms/index.ts";
import {
  type Ask,
  type Budget,
  budgetId,
  type Clock,
  type Decision,
  type LeaseRef,
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
  readonly #clock: Clock;
  readonly #plans = new WeakMap<Plan, Plan | undefined>();
  #local: MemoryStore | undefined;

  /** @param instances How many processes share the limits: each counts for its part of them. */
  constructor(instances: number, clock: Clock) {
    this.#instances = instances;
    this.#clock = clock;
  }

  /**
   * Decides on several asks, all or none. `take` charges what is counted here.
   *
   * @param retryAfter When the store is asked again, in milliseconds from now.
   */
  answer(asks: readonly Ask[], take: boolean, retryAfter: number): readonly Decision[] {
    const shares = asks.map((ask) => this.#shareOf(ask));
    const blind = asks.map(({ plan }) => degraded(plan, retryAfter));
    const isClosed = blind.some(({ ok }, index) => !ok && shares[index] === undefined);
    const counted = this.#count(
      shares.filter((share) => share !== undefined),
      take && !isClosed,
    );
    return blind.map((answer, index) => {
      const share = shares[index];
      if (share === undefined) return answer;
      return { ...(counted.get(budgetId(share)) as Decision), degraded: true };
    });
  }

  /** Refuses asks, whatever their limits say of outages. */
  refuse(asks: readonly Ask[], retryAfter: number): readonly Decision[] {
    return asks.map(({ plan }) => degraded(plan, retryAfter, "closed"));
  }

  /** Gives back what a lease holds here; false where it holds nothing here. */
  release({ plan, key }: Budget, held: LeaseRef): boolean {
    const share = this.#plans.get(plan);
    return share !== undefined && this.#local?.release({ plan: share, key }, held) === true;
  }

  /** Lets a lease last for its whole time from now; false where it holds nothing here. */
  renew({ plan, key }: Budget, held: LeaseRef): boolean {
    const share = this.#plans.get(plan);
    return share !== undefined && this.#local?.renew({ plan: share, key }, held) === true;
  }

  /** The answers by budget: asks on shards of one key are asks on one budget here. */
  #count(asks: readonly Ask[], take: boolean): ReadonlyMap<string, Decision> {
    if (asks.length === 0) return new Map();
    this.#local ??= memoryStore({ maxKeys: MOST_LOCAL_KEYS, clock: this.#clock });
    const merged = new Map<string, Ask>();
    for (const ask of asks) {
      const count = ask.count + (merged.get(budgetId(ask))?.count ?? 0);
      merged.set(budgetId(ask), { ...ask, count });
    }
    const all = [...merged.values()];
    const decisions = take ? this.#local.limitAll(all) : this.#local.checkAll(all);
    return new Map(all.map((ask, index) => [budgetId(ask), decisions[index] as Decision]));
  }

  /** The ask as it is counted here; undefined where it is not. */
  #shareOf(ask: Ask): Ask | undefined {
    if (ask.plan.whenUnavailable !== "local") return undefined;
    const plan = this.#planFor(ask.plan.whole ?? ask.plan);
    return plan && { ...ask, plan, key: wholeKey(ask) };
  }

  #planFor(plan: Plan): Plan | undefined {
    if (!this.#plans.has(plan)) this.#plans.set(plan, shareOf(plan, this.#instances));
    return this.#plans.get(plan);
  }
}

/** One process's part of a limit; undefined where that can't be computed exactly. */
function shareOf(plan: Plan, instances: number): Plan | undefined {
  for (const limit of sharesOf(plan, instances)) {
    try {
      return planFor(plan.limit, limit);
    } catch {
      // Its ticks would pass 2⁵²: the next one, or none.
    }
  }
  return undefined;
}

/** What drips, drips slower, where the period allows it; else all is divided, rounded down. */
function sharesOf(plan: Plan, instances: number): readonly Limit[] {
  const { rate, period, refillPerMs } = plan;
  const part = (units: number) => Math.floor(units / instances);
  const maxReserved = part(plan.maxReserved);
  const divided = { rate: part(rate), period, capacity: part(plan.capacity), maxReserved };
  const all = [{ ...divided, capacity: divided.rate === 0 ? 0 : divided.capacity }];
  const slower = { ...divided, rate, period: period * instances };
  if (refillPerMs > 0 && slower.period <= LONGEST) all.unshift(slower);
  return all.map((numbers) => limitOf(plan, { ...numbers, shards: 1 }));
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
