/** Series by the names of envoyproxy/ratelimit, for dashboards that know those. */
import type { Entry, Rule } from "../../rules/index.ts";
import type { Decided, Outcome } from "../../service/index.ts";
import { Descriptors, namesValues, OTHER, shownValue } from "./descriptors.ts";
import type { Answered } from "./requests.ts";
import type { Sample, Series } from "./series.ts";
import { Buckets, Tally } from "./tally.ts";

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
type Keyed = { readonly limit: string; readonly labels: Sample["labels"]; readonly of: Statistics };

export class UpstreamSeries {
  readonly #nearRatio: number;
  readonly #keys = new Map<string, Keyed>();
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

  note({ request, response, isShadow }: Decided): void {
    for (const [place, outcome] of response.outcomes.entries()) {
      if (outcome === undefined) continue;
      this.#count(this.#of(outcome.rule, request.descriptors[place]?.entries ?? []), outcome);
    }
    const refused = response.outcomes.some((one) => one?.role === "must" && !one.decision.ok);
    if (isShadow && refused) this.#globalShadow++;
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
    const name = namesValues(rule) ? this.#values.name(rule, entries) : rule.name;
    const id = `${rule.name} ${name}`;
    const found = this.#keys.get(id);
    if (found !== undefined) return found.of;
    const named = name === OTHER ? entries.map(({ key }) => ({ key, value: OTHER })) : entries;
    const keyed = { limit: rule.name, labels: labelsOf(rule, named), of: none() };
    this.#keys.set(id, keyed);
    return keyed.of;
  }

  keep(isKept: (limit: string) => boolean): void {
    this.#values.keep(isKept);
    for (const [id, { limit }] of this.#keys) if (!isKept(limit)) this.#keys.delete(id);
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
    for (const { labels, of } of this.#keys.values()) yield { labels, value: of[at] as number };
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

/** The first level is key1, all below it key2, as in `auth_type_login` and `user`. */
function labelsOf({ domain, path, metric }: Rule, entries: readonly Entry[]): Sample["labels"] {
  const [key1 = "", ...others] = path.map((part, level) => {
    const isNamed = !part.shares && (metric.detailed || metric.levels[level] === true);
    const value = isNamed ? entries[level]?.value : part.value;
    return value === undefined ? part.key : `${part.key}_${shownValue(value)}`;
  });
  return { domain, key1, key2: others.join(".") };
}
