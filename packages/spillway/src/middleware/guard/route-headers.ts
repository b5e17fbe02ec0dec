/** What clients receive of their limits, as headers. */
import { type Decision, type Limit, type Limits, systemClock } from "../../core/index.ts";
import {
  type Header,
  type HeaderForm,
  headerNames,
  type PartitionKey,
  type Policy,
  partitions,
  policyName,
  policyOf,
  rateLimitHeaders,
  type Standing,
} from "../../http/index.ts";
import { secondsOf, waitOf } from "./refusal.ts";
import type { RouteAsk } from "./route-asks.ts";
import type { Taken } from "./taking.ts";

/** What is reported, and how. */
export type RouteHeadersOptions = {
  readonly limits: Limits;
  readonly forms: readonly HeaderForm[];
  readonly partitionKey: PartitionKey | false;
};

/** Makes headers of decisions. */
export class RouteHeaders {
  readonly #limits: Limits;
  readonly #forms: readonly HeaderForm[];
  readonly #partitionOf: ((budget: RouteAsk) => string) | undefined;
  readonly #policies = new Map<string, Policy>();
  /** For browsers: scripts of other origins read no header that is not named here. */
  readonly exposed: Header;

  constructor({ limits, forms, partitionKey }: RouteHeadersOptions) {
    this.#limits = limits;
    this.#forms = forms;
    this.#partitionOf = partitionKey ? partitions(partitionKey) : undefined;
    const names = new Set([...forms.flatMap(headerNames), "Retry-After"]);
    this.exposed = ["Access-Control-Expose-Headers", [...names].join(", ")];
  }

  /**
   * What is left, of what was asked. With a refusal only of the limits that refused, so that no
   * time is reported that is later than `Retry-After`. Nothing where the store gave no answer.
   */
  headers(taken: Taken): readonly Header[] {
    if (this.#forms.length === 0 || taken.decisions.some(isDegraded)) return [];
    const limits = this.#standings(taken);
    const { ok } = taken.decision;
    const retryAfter = ok ? undefined : secondsOf(taken.decision);
    const standings = { limits, retryAfter, now: systemClock };
    const [only] = this.#forms;
    if (only !== undefined && this.#forms.length === 1) return rateLimitHeaders(only, standings);
    return this.#forms.flatMap((form) => rateLimitHeaders(form, standings));
  }

  /** The names of the policies of limits. */
  policies(names: readonly string[]): readonly string[] {
    return names.map((name) => this.#policies.get(name)?.name ?? policyName(name));
  }

  #standings({ asks, decision, decisions }: Taken): readonly Standing[] {
    const [first] = asks;
    if (first !== undefined && asks.length === 1) return [this.#standing(first, decision)];
    const reported = asks.flatMap((ask, index) => {
      const each = decisions[index] as Decision;
      return each.ok && !decision.ok ? [] : [{ each, standing: this.#standing(ask, each) }];
    });
    const isFirst = ({ each }: { each: Decision }) => each.limit === decision.limit;
    const deciding = reported.findIndex(isFirst);
    const order = deciding > 0 ? [...reported.splice(deciding, 1), ...reported] : reported;
    return order.map(({ standing }) => standing);
  }

  #standing(ask: RouteAsk, decision: Decision): Standing {
    const policy = this.#policyOf(ask);
    const { ok, remaining, reason, resetAfter } = decision;
    const isKnown = !policy.isConcurrency && Number.isFinite(resetAfter);
    return {
      policy,
      remaining: reason === "blocked" ? 0 : remaining,
      wait: ok ? (isKnown ? resetAfter : undefined) : waitOf(decision),
      partition: this.#partitionOf?.(ask),
    };
  }

  #policyOf({ limit, config }: RouteAsk): Policy {
    if (config !== undefined) return policyOf(limit, config);
    const known = this.#policies.get(limit);
    if (known !== undefined) return known;
    const policy = policyOf(limit, this.#limits[limit] as Limit);
    this.#policies.set(limit, policy);
    return policy;
  }
}

function isDegraded({ degraded }: Decision): boolean {
  return degraded === true;
}
