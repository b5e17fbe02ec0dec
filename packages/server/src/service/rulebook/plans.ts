/** Limits made ready for a store, once for each rule. */
import type { Limit, WhenUnavailable } from "spillway";
import { planFor } from "spillway/algorithms";
import type { LimitSettings, Plan } from "spillway/core";
import { MOST_UNITS } from "spillway/support";
import { listRules, type Rule, type Rules } from "../../rules/index.ts";

/** Plans of limits that came with requests, before they are made anew. */
const MOST_GIVEN = 1000;

/** A limit's arithmetic, and how it is kept. */
export type Planned = { readonly plan: Plan; readonly settings: LimitSettings };

type Ready = { readonly limit: string; readonly planned: Planned };

/**
 * The plans of rules. They are made when they are first needed, so that new rules are there at
 * once, and outlive the rules: a limit that is the same in new rules keeps its plan, by which a
 * store knows that nothing has changed.
 */
export class Plans {
  readonly #whenUnavailable: WhenUnavailable;
  #plans = new WeakMap<Rule, Planned>();
  /** By name, those that were asked for under the present rules, and under those before. */
  #named = new Map<string, Ready>();
  #former: ReadonlyMap<string, Ready> = new Map();
  readonly #given = new Map<string, Planned>();
  /** Under these nothing is lent any more: they are not used again. */
  readonly #retired = new WeakSet<Plan>();

  constructor(whenUnavailable: WhenUnavailable) {
    this.#whenUnavailable = whenUnavailable;
  }

  /** The plan of a rule that counts. */
  of(rule: Rule): Planned {
    const known = this.#plans.get(rule);
    if (known !== undefined) return known;
    const planned = this.#ready(rule.name, rule.limit as Limit);
    this.#plans.set(rule, planned);
    return planned;
  }

  /** The plan of a limit that no rule file has. */
  given(name: string, limit: Limit & { readonly rate: number }): Planned {
    const id = `${name} ${limit.rate}`;
    const known = this.#given.get(id);
    if (known !== undefined) return known;
    if (this.#given.size >= MOST_GIVEN) this.#given.clear();
    const planned = this.#made(name, limit);
    this.#given.set(id, planned);
    return planned;
  }

  /** The plans of which units are lent, and that other rules don't have: nothing is to be drawn under them any more. */
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

  /** Is called when other rules are used: limits that these don't have are forgotten the next time. */
  turn(): void {
    this.#plans = new WeakMap();
    this.#former = this.#named;
    this.#named = new Map();
  }

  #ready(name: string, limit: Limit): Planned {
    const text = JSON.stringify(limit);
    const known = this.#named.get(name) ?? this.#former.get(name);
    const isKept = known?.limit === text && !this.#retired.has(known.planned.plan);
    const planned = isKept ? known.planned : this.#made(name, limit);
    this.#named.set(name, { limit: text, planned });
    return planned;
  }

  #made(name: string, limit: Limit): Planned {
    const { whenUnavailable = this.#whenUnavailable } = limit;
    const shards = ("shards" in limit ? limit.shards : undefined) ?? 1;
    return { plan: planFor(name, limit), settings: { whenUnavailable, shards } };
  }
}

/** A limit that counts all that is asked in a window, and refuses nothing. */
export function countingLimit(limit: Limit): Limit {
  return { ...limit, rate: MOST_UNITS, capacity: MOST_UNITS } as Limit;
}

/** Whether a limit counts as envoyproxy/ratelimit does: in windows, without more or less beside. */
export function isPlainWindow(limit: Limit): boolean {
  if (limit.kind !== "fixed window") return false;
  const { rate, capacity = rate, maxReserved, start, shards = 1, share } = limit;
  const isPlain = maxReserved === undefined && start === 0 && shards === 1 && share === undefined;
  return isPlain && capacity === rate;
}
