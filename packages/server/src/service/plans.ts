/** Limits made ready for a store, once for each rule. */
import type { Limit, WhenUnavailable } from "spillway";
import { planFor } from "spillway/algorithms";
import { MOST_UNITS, type Plan } from "spillway/core";
import type { Rule } from "../rules/index.ts";

/** Plans of limits that came with requests, before they are made anew. */
const MOST_GIVEN = 1000;

type Ready = { readonly limit: string; readonly plan: Plan };

/**
 * The plans of rules. They are made when they are first needed, so that new rules are there at
 * once, and outlive the rules: a limit that is the same in new rules keeps its plan, by which a
 * store knows that nothing has changed.
 */
export class Plans {
  readonly #whenUnavailable: WhenUnavailable;
  readonly #plans = new WeakMap<Rule, Plan>();
  #named = new Map<string, Ready>();
  readonly #given = new Map<string, Plan>();

  constructor(whenUnavailable: WhenUnavailable) {
    this.#whenUnavailable = whenUnavailable;
  }

  /** The plan of a rule that counts. */
  of(rule: Rule): Plan {
    const known = this.#plans.get(rule);
    if (known !== undefined) return known;
    const plan = this.#ready(rule.name, rule.limit as Limit);
    this.#plans.set(rule, plan);
    return plan;
  }

  /** The plan of a limit that no rule file has. */
  given(name: string, limit: Limit & { readonly rate: number }): Plan {
    const id = `${name} ${limit.rate}`;
    const known = this.#given.get(id);
    if (known !== undefined) return known;
    if (this.#given.size >= MOST_GIVEN) this.#given.clear();
    const plan = this.#made(name, limit);
    this.#given.set(id, plan);
    return plan;
  }

  /** Forgets limits that new rules don't have. */
  keepOnly(names: ReadonlySet<string>): void {
    this.#named = new Map([...this.#named].filter(([name]) => names.has(name)));
  }

  #ready(name: string, limit: Limit): Plan {
    const text = JSON.stringify(limit);
    const known = this.#named.get(name);
    if (known?.limit === text) return known.plan;
    const plan = this.#made(name, limit);
    this.#named.set(name, { limit: text, plan });
    return plan;
  }

  #made(name: string, limit: Limit): Plan {
    const whenUnavailable = limit.whenUnavailable ?? this.#whenUnavailable;
    return planFor(name, { ...limit, whenUnavailable });
  }
}

/** A limit that counts all that is asked in a window, and refuses nothing. */
export function countingLimit(limit: Limit): Limit {
  return { ...limit, rate: MOST_UNITS, capacity: MOST_UNITS } as Limit;
}

/** Whether a limit counts as envoyproxy/ratelimit does: in windows, without more or less beside. */
export function isPlainWindow(limit: Limit): boolean {
  if (limit.kind !== "fixed window") return false;
  const { rate, capacity = rate, maxReserved, shards = 1 } = limit;
  return capacity === rate && maxReserved === undefined && shards === 1;
}
