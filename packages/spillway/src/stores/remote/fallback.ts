/** Answers calls while the store is unavailable, by each limit's own `whenUnavailable`. */
import { notify } from "../../internal/index.ts";
import { divide, limitOf, planFor } from "../../limits/algorithms/index.ts";
import {
  type Ask,
  type Budget,
  budgetId,
  type Clock,
  type Command,
  type Decision,
  type Drawn,
  type LeaseRef,
  LONGEST,
  type Plan,
  SpillwayError,
  type Store,
} from "../../limits/core/index.ts";
import { degraded, whenUnavailableOf } from "./degraded.ts";
import type { OnEvent } from "./events.ts";

/** The maximum number of keys counted in this process while the store is unavailable. */
const MOST_LOCAL_KEYS = 100_000;

/** Creates the store that counts in this process while the shared one is unavailable. */
export type LocalStore = (options: {
  readonly maxKeys: number;
  readonly clock: Clock;
}) => Store<"now">;

/** The settings of decisions without the store. */
export type FallbackSettings = {
  /** The number of processes that share the limits. Each counts for its part of them. */
  readonly instances: number;
  readonly clock: Clock;
  /** Undefined if nothing is counted: then `"local"` refuses, as `"closed"` does. */
  readonly local: LocalStore | undefined;
  readonly onEvent: OnEvent | undefined;
};

/** Why the store did not answer a command. */
export type CommandFailure = {
  readonly error: Error;
  /**
   * Whether the store is unavailable, so that each limit decides for itself; otherwise all refuse.
   */
  readonly isOutage: boolean;
  /** When the store is asked again, in milliseconds from now. */
  readonly retryAfter: number;
};

/** Decides without a store. */
export class Fallback {
  readonly #settings: FallbackSettings;
  readonly #plans = new WeakMap<Plan, Plan | undefined>();
  #local: Store<"now"> | undefined;

  constructor(settings: FallbackSettings) {
    this.#settings = settings;
  }

  /** Answers a command. @throws SpillwayError `unavailable` for commands without a fallback */
  answer(command: Command, failure: CommandFailure): readonly Decision[] | Drawn {
    const { verb, budgets } = command;
    if (verb === "limit" || verb === "check") return this.#answerAsks(verb, budgets, failure);
    if (verb !== "draw") {
      throw unavailable(`\`${verb}\``, failure.error, budgets[0]?.plan.limit ?? "");
    }
    const [decision] = this.#answerAsks("limit", command.budgets, failure);
    return { decision: decision as Decision, lent: { units: 0, lasts: 0, unlisted: [] } };
  }

  #answerAsks(
    verb: "limit" | "check",
    budgets: readonly Ask[],
    { isOutage, retryAfter }: CommandFailure,
  ): readonly Decision[] {
    const decisions = isOutage
      ? this.decide(budgets, verb === "limit", retryAfter)
      : this.refuse(budgets, retryAfter);
    budgets.forEach((budget, index) => {
      const { ok, limit } = decisions[index] as Decision;
      const whenUnavailable = whenUnavailableOf(budget);
      notify(this.#settings.onEvent, { type: "degraded", limit, whenUnavailable, ok });
    });
    return decisions;
  }

  /**
   * Decides on several asks, all or none. `take` charges what is counted here.
   *
   * @param retryAfter When the store is asked again, in milliseconds from now.
   */
  decide(asks: readonly Ask[], take: boolean, retryAfter: number): readonly Decision[] {
    const shares = asks.map((ask) => this.#shareOf(ask));
    const blind = asks.map((ask) => degraded(ask, retryAfter));
    const isClosed = blind.some(({ ok }, index) => !ok && shares[index] === undefined);
    const counted = this.#count(
      shares.filter((share) => share !== undefined),
      take && !isClosed,
    );
    return blind.map((decision, index) => {
      const share = shares[index];
      if (share === undefined) return decision;
      return { ...(counted.get(budgetId(share)) as Decision), degraded: true };
    });
  }

  /** Refuses asks, even under limits that admit during outages. */
  refuse(asks: readonly Ask[], retryAfter: number): readonly Decision[] {
    return asks.map((ask) => degraded(ask, retryAfter, "closed"));
  }

  /** Releases or renews a lease that was granted here; false if it holds nothing here. */
  changeLease(verb: "release" | "renew", { plan, key }: Budget, lease: LeaseRef): boolean {
    const share = this.#plans.get(plan);
    if (share === undefined || this.#local === undefined) return false;
    return this.#local.execute({ verb, budgets: [{ plan: share, key }], lease });
  }

  /** Returns the decisions by budget. Asks on shards of one key are asks on one budget here. */
  #count(asks: readonly Ask[], take: boolean): ReadonlyMap<string, Decision> {
    const { local, clock } = this.#settings;
    if (asks.length === 0 || local === undefined) return new Map();
    this.#local ??= local({ maxKeys: MOST_LOCAL_KEYS, clock });
    const merged = new Map<string, Ask>();
    for (const ask of asks) {
      const count = ask.count + (merged.get(budgetId(ask))?.count ?? 0);
      merged.set(budgetId(ask), { ...ask, count });
    }
    const budgets = [...merged.values()];
    const decisions = this.#local.execute({ verb: take ? "limit" : "check", budgets });
    return new Map(budgets.map((ask, index) => [budgetId(ask), decisions[index] as Decision]));
  }

  /** Returns the ask as it is counted here; undefined if it is not. */
  #shareOf(ask: Ask): Ask | undefined {
    const isLocal = whenUnavailableOf(ask) === "local" && this.#settings.local !== undefined;
    if (!isLocal) return undefined;
    const { plan, key } = ask.shardOf ?? ask;
    const share = this.#planFor(plan);
    return share && { ...ask, plan: share, key, shardOf: undefined };
  }

  #planFor(plan: Plan): Plan | undefined {
    if (!this.#plans.has(plan)) this.#plans.set(plan, shareOf(plan, this.#settings.instances));
    return this.#plans.get(plan);
  }
}

/** Returns one process's part of a limit; undefined if it can't be computed exactly. */
function shareOf(plan: Plan, instances: number): Plan | undefined {
  const weights = new Array<number>(instances).fill(1);
  // Rates that refill continuously slow down, if the period allows it. Others are divided and
  // rounded down: the last part is the smallest.
  const isExact = plan.period * instances <= LONGEST;
  for (const rates of isExact ? (["exact", "whole"] as const) : (["whole"] as const)) {
    const numbers = divide(plan, weights, { rates })?.at(-1);
    if (numbers === undefined) continue;
    const capacity = numbers.rate === 0 ? 0 : numbers.capacity;
    try {
      return planFor(plan.limit, limitOf(plan, { ...numbers, capacity }));
    } catch {
      // Its ticks would exceed 2⁵²: try the next way, or none.
    }
  }
  return undefined;
}

/** Returns the error for a call that the store did not answer. */
export function unavailable(what: string, error: unknown, limit?: string): SpillwayError {
  return new SpillwayError({
    code: "unavailable",
    limit,
    field: "store",
    value: error instanceof Error ? error.message : String(error),
    expected: `an answer to ${what}`,
    hint: "Try again when the store answers; the call may have taken effect",
  });
}
