/** Writes rate limit headers for clients. */
import { type Decision, type Limit, systemClock } from "../../limits/core/index.ts";
import {
  type Header,
  type HeaderForm,
  headerNames,
  type LimitStatus,
  type PartitionKey,
  type Policy,
  partitions,
  policyName,
  policyOf,
  rateLimitHeaders,
} from "../headers/index.ts";
import type { DefinedLimits } from "./ask-kind.ts";
import { secondsOf, waitOf } from "./refusal.ts";
import type { RouteAsk } from "./route-asks.ts";
import type { TakeResult } from "./taking.ts";

/** The forms of headers, and whether they show partition keys. */
export type RouteHeadersOptions = {
  readonly headers: readonly HeaderForm[];
  readonly partitionKey: PartitionKey | false;
};

/**
 * The limits that a request's routes report, the one with the least left first, and their forms.
 */
export type RouteReport = {
  readonly limits: readonly LimitStatus[];
  readonly forms: readonly HeaderForm[];
};

/**
 * The limits that earlier routes report, and whether a script of another origin sent the request.
 */
type HeaderRecipient = {
  readonly report: RouteReport | undefined;
  readonly isCrossOrigin: boolean;
};

const NONE: readonly Header[] = [];

/** Converts decisions to headers. */
export class RouteHeaders {
  readonly #limiter: DefinedLimits;
  readonly #forms: readonly HeaderForm[];
  readonly #partitionOf: ((budget: RouteAsk) => string) | undefined;
  /** The policy of each limit, under the definition that it had when it was asked last. */
  readonly #policies = new Map<string, { readonly definition: Limit; readonly policy: Policy }>();
  readonly #ownExposed: Header;

  constructor(limiter: DefinedLimits, { headers: forms, partitionKey }: RouteHeadersOptions) {
    this.#limiter = limiter;
    this.#forms = forms;
    this.#partitionOf = partitionKey ? partitions(partitionKey) : undefined;
    this.#ownExposed = exposedOf(forms);
  }

  /**
   * Returns headers for the limits of this route and those that earlier routes reported.
   *
   * With a refusal, only the limits that refused are reported, so that no time is later than
   * `Retry-After`. If the store gave no answer, only earlier routes are reported.
   */
  headers(taken: TakeResult, recipient: HeaderRecipient): readonly Header[] {
    const { ok } = taken.decision;
    const { report } = recipient;
    if (!this.#isReported(taken)) {
      const end = ok ? "passed" : "refused";
      return this.#exposed(recipient, report === undefined ? NONE : repeated(report, end));
    }
    const own = { limits: this.#statuses(taken), forms: this.#forms };
    if (report === undefined) return this.#exposed(recipient, written(own, taken));
    const { limits, forms } = together(report, own);
    return this.#exposed(recipient, written({ limits: ok ? limits : own.limits, forms }, taken));
  }

  /** Returns headers for the limits that earlier routes reported. */
  earlier(recipient: HeaderRecipient, end: "passed" | "refused"): readonly Header[] {
    const { report } = recipient;
    return report === undefined ? NONE : this.#exposed(recipient, repeated(report, end));
  }

  /** Returns the limits that this route and earlier ones report; undefined if none does. */
  report(taken: TakeResult | undefined, earlier: RouteReport | undefined): RouteReport | undefined {
    if (taken === undefined || !this.#isReported(taken)) return earlier;
    const own = { limits: this.#statuses(taken), forms: this.#forms };
    return earlier === undefined ? own : together(earlier, own);
  }

  /**
   * Names the headers for browsers: a script of another origin can read only headers that are
   * named.
   */
  #exposed(
    { isCrossOrigin, report }: HeaderRecipient,
    headers: readonly Header[],
  ): readonly Header[] {
    if (!isCrossOrigin) return headers;
    const isOwn = report === undefined;
    return [...headers, isOwn ? this.#ownExposed : exposedOf([...report.forms, ...this.#forms])];
  }

  /** Limits that are not enforced are none to the client. */
  #isReported({ decisions }: TakeResult): boolean {
    const isKnown = this.#forms.length > 0 && !decisions.some(isDegraded);
    return isKnown && decisions.some(isEnforced);
  }

  /** Returns the names of the policies of limits. */
  policies(names: readonly string[]): readonly string[] {
    return names.map((name) => this.#policies.get(name)?.policy.name ?? policyName(name));
  }

  #statuses({ asks, decision, decisions }: TakeResult): readonly LimitStatus[] {
    const [first] = asks;
    if (first !== undefined && asks.length === 1) return this.#standing(first, decision);
    const reported = asks.flatMap((ask, index) => {
      const each = decisions[index] as Decision;
      const isLeftOut = (each.ok && !decision.ok) || !isEnforced(each);
      return isLeftOut ? [] : this.#standing(ask, each).map((standing) => ({ each, standing }));
    });
    const isFirst = ({ each }: { each: Decision }) => each.limit === decision.limit;
    const deciding = reported.findIndex(isFirst);
    const order = deciding > 0 ? [...reported.splice(deciding, 1), ...reported] : reported;
    return eachOnce(order.map(({ standing }) => standing));
  }

  /** Returns nothing for a limit of a wrapped limiter that shows no definition of it. */
  #standing(ask: RouteAsk, decision: Decision): readonly LimitStatus[] {
    const policy = this.#policyOf(ask);
    if (policy === undefined) return [];
    const { ok, remaining, reason, resetAfter } = decision;
    const isBlocked = reason === "blocked" || reason === "penalized";
    const isKnown = !policy.isConcurrency && Number.isFinite(resetAfter);
    const status = {
      policy,
      remaining: isBlocked ? 0 : remaining,
      wait: ok ? (isKnown ? resetAfter : undefined) : waitOf(decision),
      partition: this.#partitionOf?.(ask),
    };
    return [status];
  }

  #policyOf({ limit, config }: RouteAsk): Policy | undefined {
    if (config !== undefined) return policyOf(limit, config);
    const definition = this.#limiter.limits[limit];
    const known = this.#policies.get(limit);
    if (definition === undefined) return known?.policy;
    if (known?.definition === definition) return known.policy;
    const policy = policyOf(limit, definition);
    this.#policies.set(limit, { definition, policy });
    return policy;
  }
}

function exposedOf(forms: readonly HeaderForm[]): Header {
  const names = new Set(["Retry-After", ...forms.flatMap(headerNames)]);
  return ["Access-Control-Expose-Headers", [...names].join(", ")];
}

/** Converts a report to headers. */
function written({ limits, forms }: RouteReport, taken?: TakeResult): readonly Header[] {
  const isRefused = taken !== undefined && !taken.decision.ok;
  const retryAfter = isRefused ? secondsOf(taken.decision) : undefined;
  const statuses = { limits, retryAfter, now: systemClock };
  const [only] = forms;
  if (only !== undefined && forms.length === 1) return rateLimitHeaders(only, statuses);
  return forms.flatMap((form) => rateLimitHeaders(form, statuses));
}

/**
 * Repeats the report of earlier routes as headers.
 *
 * A refusal by something else than limits has a time of its own. The limits are then reported
 * without times.
 */
function repeated({ limits, forms }: RouteReport, end: "passed" | "refused"): readonly Header[] {
  if (end === "passed") return written({ limits, forms });
  return written({ limits: limits.map((one) => ({ ...one, wait: undefined })), forms });
}

function together(earlier: RouteReport, own: RouteReport): RouteReport {
  return {
    limits: tightestFirst([...earlier.limits, ...own.limits]),
    forms: [...new Set([...earlier.forms, ...own.forms])],
  };
}

/**
 * Moves the limit with the least left to the front, and keeps the order of the others. Removes
 * duplicates. Pure.
 */
function tightestFirst(limits: readonly LimitStatus[]): readonly LimitStatus[] {
  const all = eachOnce(limits);
  const least = Math.min(...all.map(({ remaining }) => remaining));
  const tightest = all.find(({ remaining }) => remaining === least) as LimitStatus;
  return [tightest, ...all.filter((one) => one !== tightest)];
}

/** Keeps only the budget with the least left among those that a client can't distinguish. Pure. */
function eachOnce(limits: readonly LimitStatus[]): readonly LimitStatus[] {
  const tightest = new Map<string, LimitStatus>();
  for (const one of limits) {
    const known = tightest.get(seenAs(one));
    if (known === undefined || one.remaining < known.remaining) tightest.set(seenAs(one), one);
  }
  return limits.filter((one) => tightest.get(seenAs(one)) === one);
}

/** Returns everything by which a client can distinguish budgets. Pure. */
function seenAs({ policy, partition }: LimitStatus): string {
  return `${partition ?? ""} ${policy.item}`;
}

function isEnforced({ mode }: Decision): boolean {
  return mode === undefined;
}

function isDegraded({ degraded }: Decision): boolean {
  return degraded === true;
}
