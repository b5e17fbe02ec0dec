/** Series by the names of envoyproxy/ratelimit, for dashboards that know those. */
import type { Entry, Rule } from "../../rules/index.ts";
import type { Decided, Outcome } from "../../service/index.ts";
import { Descriptors, namesValues, OTHER } from "./descriptors.ts";
import type { Answered } from "./requests.ts";
import type { Sample, Series } from "./series.ts";
import { Buckets, Tally } from "./tally.ts";
import { isGiven, labelsOf, otherName, upstreamName } from "./upstream-names.ts";

const STATISTICS = [
  "total_hits",
  "within_limit",
  "near_limit",
  "over_limit",
  "shadow_mode",
] as const;
const BOUNDS = [0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1];

/** A limit's statistics, in their order. */
type Statistics = [number, number, number, number, number];
/** What has one set of labels: to envoyproxy/ratelimit different limits may read alike, and then count together. */
type Labelled = {
  readonly labels: Sample["labels"];
  readonly limits: Set<string>;
  readonly of: Statistics;
};
type Keyed = { readonly limit: string; readonly labelled: Labelled };

export class UpstreamSeries {
  readonly #nearRatio: number;
  readonly #keys = new Map<string, Keyed>();
  readonly #labelled = new Map<string, Labelled>();
  readonly #values = new Descriptors();
  readonly #errors = new Tally("err_type");
  readonly #loads = new Tally("result");
  readonly #times = new Buckets(BOUNDS);
  #requests = 0;
  #globalShadow = 0;

  /** @param nearRatio The part of a limit from which on hits are near it, such as 0.8. */
  constructor(nearRatio: number) {
    this.#nearRatio = nearRatio;
  }

  note({ request, response }: Decided): void {
    for (const [place, outcome] of response.outcomes.entries()) {
      const { entries = [], refund = false } = request.descriptors[place] ?? {};
      if (outcome === undefined || outcome.decidedBy.limit === "unlimited" || refund) continue;
      this.#count(this.#of(outcome.rule, entries), outcome);
    }
    if (response.isSpared) this.#globalShadow++;
  }

  answered({ path, status, ms }: Answered): void {
    if (!path.endsWith("/ShouldRateLimit")) return;
    this.#requests++;
    this.#times.add(ms / 1000);
    if (status === "UNAVAILABLE") this.#errors.add("redis_error");
    else if (status !== "OK") this.#errors.add("service_error");
  }

  loaded(isGood: boolean): void {
    this.#loads.add(isGood ? "success" : "error");
  }

  /** By the table of upstream: hits up to, near and over the limit. */
  #count(to: Statistics, { decision, count, role }: Outcome): void {
    const { capacity, remaining, ok } = decision;
    to[0] += count;
    if (!ok) {
      to[3] += count;
      if (role === "shadow") to[4] += count;
      return;
    }
    to[1] += count;
    if (!Number.isFinite(capacity)) return;
    const near = Math.floor(Math.fround(capacity) * this.#nearRatio);
    const after = capacity - remaining;
    if (after > near) to[2] += Math.min(count, after - near);
  }

  #of(rule: Rule, entries: readonly Entry[]): Statistics {
    const { name: limit } = rule;
    const hasValues = isGiven(rule) || namesValues(rule);
    const name = hasValues ? this.#values.bounded(limit, upstreamName(rule, entries)) : "";
    // No limit's name has a line end.
    const id = hasValues ? `${limit}\n${name}` : limit;
    const found = this.#keys.get(id);
    if (found !== undefined) return found.labelled.of;
    const whole = name === OTHER ? otherName(rule, entries) : name || upstreamName(rule, entries);
    const labelled = this.#labelledBy(whole);
    labelled.limits.add(limit);
    this.#keys.set(id, { limit, labelled });
    return labelled.of;
  }

  #labelledBy(name: string): Labelled {
    const labels = labelsOf(name);
    const id = JSON.stringify(labels);
    const labelled = this.#labelled.get(id) ?? { labels, limits: new Set(), of: none() };
    this.#labelled.set(id, labelled);
    return labelled;
  }

  /** Forgets limits that are no more. What others count in as well goes on. */
  keep(isKept: (limit: string) => boolean): void {
    this.#values.keep(isKept);
    for (const [id, { limit, labelled }] of this.#keys) {
      if (isKept(limit)) continue;
      this.#keys.delete(id);
      labelled.limits.delete(limit);
    }
    for (const [id, { limits }] of this.#labelled) if (limits.size === 0) this.#labelled.delete(id);
  }

  get series(): readonly Series[] {
    const perLimit = STATISTICS.map((statistic, at): Series => {
      const name = `ratelimit_service_rate_limit_${statistic}`;
      return { type: "counter", name, help: HELP[statistic], read: () => this.#read(at) };
    });
    const one = (name: string, help: string, read: () => number): Series => {
      return { type: "counter", name, help, read: () => [{ labels: {}, value: read() }] };
    };
    const loads = (result: string) => () =>
      [...this.#loads.read()].find(({ labels }) => labels.result === result)?.value ?? 0;
    const method = { grpc_method: "ShouldRateLimit" };
    return [
      ...perLimit,
      one("ratelimit_service_config_load_success", "Rule files read", loads("success")),
      one("ratelimit_service_config_load_error", "Rule files that are wrong", loads("error")),
      one("ratelimit_service_global_shadow_mode", "Passed by --shadow", () => this.#globalShadow),
      {
        type: "counter",
        name: "ratelimit_service_should_rate_limit_error",
        help: "Calls without a decision",
        read: () => this.#errors.read(),
      },
      {
        type: "counter",
        name: "ratelimit_service_total_requests",
        help: "Calls of gRPC",
        read: () => [{ labels: method, value: this.#requests }],
      },
      {
        type: "histogram",
        name: "ratelimit_service_response_time_seconds",
        help: "How long calls of gRPC took",
        bounds: BOUNDS,
        read: () => [this.#times.read(method)],
      },
    ];
  }

  *#read(at: number): Iterable<Sample> {
    for (const { labels, of } of this.#labelled.values()) yield { labels, value: of[at] as number };
  }
}

const HELP: { readonly [S in (typeof STATISTICS)[number]]: string } = {
  total_hits: "Hits asked for",
  within_limit: "Hits within the limit",
  near_limit: "Hits within the limit and near it",
  over_limit: "Hits over the limit",
  shadow_mode: "Hits over a limit in shadow mode",
};

function none(): Statistics {
  return [0, 0, 0, 0, 0];
}
