/** Prepares limits for a store, once for each rule. */
import type { Limit, WhenUnavailable } from "spillway";
import { planFor } from "spillway/algorithms";
import type { LimitSettings, Plan } from "spillway/core";
import { MOST_UNITS, penaltyOf } from "spillway/support";
import { listRules, type Rule, type Rules } from "../../rules/index.ts";

/**
 * The maximum number of plans of limits given with requests before all are dropped and made again.
 */
const MOST_GIVEN = 1000;

/** A limit's plan, and its settings. */
export type RulePlan = { readonly plan: Plan; readonly settings: LimitSettings };

type ReadyPlan = { readonly limit: string; readonly planned: RulePlan };

/**
 * The plans of rules. Each is made when it is first needed, so that new rules take effect at once.
 *
 * A limit that new rules do not change keeps its plan, which shows a store that nothing has
 * changed.
 */
export class RulePlans {
  readonly #whenUnavailable: WhenUnavailable;
  #plans = new WeakMap<Rule, RulePlan>();
  /** Plans by name: those used under the present rules, and those used before. */
  #named = new Map<string, ReadyPlan>();
  #former: ReadonlyMap<string, ReadyPlan> = new Map();
  readonly #given = new Map<string, RulePlan>();
  /** Plans under which nothing may be lent any more. They are not used again. */
  readonly #retired = new WeakSet<Plan>();

  constructor(whenUnavailable: WhenUnavailable) {
    this.#whenUnavailable = whenUnavailable;
  }

  /** Returns the plan of a rule that counts. */
  of(rule: Rule): RulePlan {
    const known = this.#plans.get(rule);
    if (known !== undefined) return known;
    const planned = this.#ready(rule.name, rule.limit as Limit);
    this.#plans.set(rule, planned);
    return planned;
  }

  /** Returns the plan of a limit that is given with a request. */
  given(name: string, limit: Limit & { readonly rate: number }): RulePlan {
    const id = `${name} ${limit.rate}`;
    const known = this.#given.get(id);
    if (known !== undefined) return known;
    if (this.#given.size >= MOST_GIVEN) this.#given.clear();
    const planned = this.#made(name, limit);
    this.#given.set(id, planned);
    return planned;
  }

  /** Retires plans with lent units that the new rules no longer have. Returns these plans. */
  retire(rules: Rules): readonly Plan[] {
    const lent = [...this.#former, ...this.#named].filter(
      ([, { planned }]) => planned.plan.share > 0,
    );
    if (lent.length === 0) return [];
    const next = new Map(listRules(rules).map(({ name, limit }) => [name, limit]));
    const over = lent.filter(([name, { limit }]) => limit !== JSON.stringify(next.get(name)));
    const plans = over.map(([, { planned }]) => planned.plan);
    for (const plan of plans) this.#retired.add(plan);
    return plans;
  }

  /**
   * Called when new rules are in use: limits that these no longer have are forgotten at the next
   * call.
   */
  turn(): void {
    this.#plans = new WeakMap();
    this.#former = this.#named;
    this.#named = new Map();
  }

  #ready(name: string, limit: Limit): RulePlan {
    const text = JSON.stringify(limit);
    const known = this.#named.get(name) ?? this.#former.get(name);
    const isKept = known?.limit === text && !this.#retired.has(known.planned.plan);
    const planned = isKept ? known.planned : this.#made(name, limit);
    this.#named.set(name, { limit: text, planned });
    return planned;
  }

  #made(name: string, limit: Limit): RulePlan {
    const { whenUnavailable = this.#whenUnavailable } = limit;
    const shards = ("shards" in limit ? limit.shards : undefined) ?? 1;
    const penalty = penaltyOf(name, limit);
    return { plan: planFor(name, limit), settings: { whenUnavailable, shards, penalty } };
  }
}

/** Returns a limit that counts all requests in a window and refuses nothing. */
export function countingLimit(limit: Limit): Limit {
  return { ...limit, rate: MOST_UNITS, capacity: MOST_UNITS } as Limit;
}

/**
 * Whether a limit counts as envoyproxy/ratelimit does: in fixed windows, without further options.
 */
export function isPlainWindow(limit: Limit): boolean {
  if (limit.kind !== "fixed window") return false;
  const { rate, capacity = rate, maxReserved, start, shards = 1, share, penalty } = limit;
  const isPlain = maxReserved === undefined && start === 0 && shards === 1 && share === undefined;
  return isPlain && penalty === undefined && capacity === rate;
}
