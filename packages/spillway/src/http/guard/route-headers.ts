/** What clients receive of their limits, as headers. */
import { type Decision, type Limit, type Limits, systemClock } from "../../limits/core/index.ts";
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
} from "../headers/index.ts";
import { secondsOf, waitOf } from "./refusal.ts";
import type { RouteAsk } from "./route-asks.ts";
import type { Taken } from "./taking.ts";

/** What is reported, and how. */
export type RouteHeadersOptions = {
  readonly headers: readonly HeaderForm[];
  readonly partitionKey: PartitionKey | false;
};

/** What the routes report that a request has passed: limits, the one with the least left first, and forms. */
export type Report = {
  readonly limits: readonly Standing[];
  readonly forms: readonly HeaderForm[];
};

/** What is known of a request beside its decision: what earlier routes report, and whether a script of another origin asks. */
type Recipient = { readonly report: Report | undefined; readonly isCrossOrigin: boolean };

const NONE: readonly Header[] = [];

/** Makes headers of decisions. */
export class RouteHeaders {
  readonly #limits: Limits;
  readonly #forms: readonly HeaderForm[];
  readonly #partitionOf: ((budget: RouteAsk) => string) | undefined;
  readonly #policies = new Map<string, Policy>();
  readonly #ownExposed: Header;

  constructor(limits: Limits, { headers: forms, partitionKey }: RouteHeadersOptions) {
    this.#limits = limits;
    this.#forms = forms;
    this.#partitionOf = partitionKey ? partitions(partitionKey) : undefined;
    this.#ownExposed = exposedOf(forms);
  }

  /**
   * What is left, of what was asked and of what earlier routes have reported. With a refusal only of the limits that
   * refused, so that no time is reported that is later than `Retry-After`. Where the store gave no answer, what earlier
   * routes have reported.
   */
  headers(taken: Taken, recipient: Recipient): readonly Header[] {
    const { ok } = taken.decision;
    const { report } = recipient;
    if (!this.#isReported(taken)) {
      const end = ok ? "passed" : "refused";
      return this.#exposed(recipient, report === undefined ? NONE : repeated(report, end));
    }
    const own = { limits: this.#standings(taken), forms: this.#forms };
    if (report === undefined) return this.#exposed(recipient, written(own, taken));
    const { limits, forms } = together(report, own);
    return this.#exposed(recipient, written({ limits: ok ? limits : own.limits, forms }, taken));
  }

  /** What earlier routes have reported. */
  earlier(recipient: Recipient, end: "passed" | "refused"): readonly Header[] {
    const { report } = recipient;
    return report === undefined ? NONE : this.#exposed(recipient, repeated(report, end));
  }

  /** What this route and earlier ones report; undefined where none does. */
  report(taken: Taken | undefined, earlier: Report | undefined): Report | undefined {
    if (taken === undefined || !this.#isReported(taken)) return earlier;
    const own = { limits: this.#standings(taken), forms: this.#forms };
    return earlier === undefined ? own : together(earlier, own);
  }

  /** For browsers: scripts of other origins read no header that is not named. */
  #exposed({ isCrossOrigin, report }: Recipient, headers: readonly Header[]): readonly Header[] {
    if (!isCrossOrigin) return headers;
    const isOwn = report === undefined;
    return [...headers, isOwn ? this.#ownExposed : exposedOf([...report.forms, ...this.#forms])];
  }

  #isReported({ decisions }: Taken): boolean {
    return this.#forms.length > 0 && !decisions.some(isDegraded);
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
    return eachOnce(order.map(({ standing }) => standing));
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

function exposedOf(forms: readonly HeaderForm[]): Header {
  const names = new Set(["Retry-After", ...forms.flatMap(headerNames)]);
  return ["Access-Control-Expose-Headers", [...names].join(", ")];
}

/** A report as headers. */
function written({ limits, forms }: Report, taken?: Taken): readonly Header[] {
  const isRefused = taken !== undefined && !taken.decision.ok;
  const retryAfter = isRefused ? secondsOf(taken.decision) : undefined;
  const standings = { limits, retryAfter, now: systemClock };
  const [only] = forms;
  if (only !== undefined && forms.length === 1) return rateLimitHeaders(only, standings);
  return forms.flatMap((form) => rateLimitHeaders(form, standings));
}

/** What earlier routes have reported; with a refusal by something else than limits, which says its own time, no times. */
function repeated({ limits, forms }: Report, end: "passed" | "refused"): readonly Header[] {
  if (end === "passed") return written({ limits, forms });
  return written({ limits: limits.map((one) => ({ ...one, wait: undefined })), forms });
}

function together(earlier: Report, own: Report): Report {
  return {
    limits: tightestFirst([...earlier.limits, ...own.limits]),
    forms: [...new Set([...earlier.forms, ...own.forms])],
  };
}

/** The one with the least left first, the others in their order, each once. Pure. */
function tightestFirst(limits: readonly Standing[]): readonly Standing[] {
  const all = eachOnce(limits);
  const least = Math.min(...all.map(({ remaining }) => remaining));
  const tightest = all.find(({ remaining }) => remaining === least) as Standing;
  return [tightest, ...all.filter((one) => one !== tightest)];
}

/** Of budgets that a client can't tell apart, the one with the least left. Pure. */
function eachOnce(limits: readonly Standing[]): readonly Standing[] {
  const tightest = new Map<string, Standing>();
  for (const one of limits) {
    const known = tightest.get(seenAs(one));
    if (known === undefined || one.remaining < known.remaining) tightest.set(seenAs(one), one);
  }
  return limits.filter((one) => tightest.get(seenAs(one)) === one);
}

/** What a client can tell budgets apart by. Pure. */
function seenAs({ policy, partition }: Standing): string {
  return `${partition ?? ""} ${policy.item}`;
}

function isDegraded({ degraded }: Decision): boolean {
  return degraded === true;
}
