/** Series with the names of envoyproxy/ratelimit, for existing dashboards. */
import type { DescriptorEntry, Rule } from "../../rules/index.ts";
import type { DecidedCall, RuleDecision } from "../../service/index.ts";
import { DescriptorCounter, namesValues, OTHER } from "./descriptors.ts";
import type { MeasuredRequest } from "./requests.ts";
import { alone, counter, histogram, type Sample, type Series } from "./series.ts";
import { Buckets, entryOf, LabelledCounter } from "./tally.ts";
import { isGiven, labelsOf, otherName, upstreamName } from "./upstream-names.ts";

const STATISTICS = [
  "total_hits",
  "within_limit",
  "near_limit",
  "over_limit",
  "shadow_mode",
] as const;
const BOUNDS = [0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1];

/** The statistics of a limit, in upstream's order. */
type Statistics = [number, number, number, number, number];
/**
 * Limits with one set of labels. Different limits may have the same labels in envoyproxy/ratelimit,
 * and then count together.
 */
type Labelled = {
  readonly labels: Sample["labels"];
  readonly limits: Set<string>;
  readonly of: Statistics;
};
type LabelledLimit = { readonly limit: string; readonly labelled: Labelled };

export class UpstreamSeries {
  readonly #nearRatio: number;
  readonly #keys = new Map<string, LabelledLimit>();
  readonly #labelled = new Map<string, Labelled>();
  readonly #values = new DescriptorCounter();
  readonly #errors = new LabelledCounter("err_type");
  readonly #loads = new LabelledCounter("result");
  readonly #times = new Buckets(BOUNDS);
  #requests = 0;
  #globalShadow = 0;

  /** @param nearRatio The fraction of a limit above which hits are near it, such as 0.8. */
  constructor(nearRatio: number) {
    this.#nearRatio = nearRatio;
  }

  note({ request, response }: DecidedCall): void {
    for (const [place, outcome] of response.outcomes.entries()) {
      const { entries = [], refund = false } = request.descriptors[place] ?? {};
      if (outcome === undefined || outcome.decidedBy.limit === "unlimited" || refund) continue;
      this.#count(this.#of(outcome.rule, entries), outcome);
    }
    if (response.isSpared) this.#globalShadow++;
  }

  answered({ path, status, ms }: MeasuredRequest): void {
    if (!path.endsWith("/ShouldRateLimit")) return;
    this.#requests++;
    this.#times.add(ms / 1000);
    if (status === "UNAVAILABLE") this.#errors.add("redis_error");
    else if (status !== "OK") this.#errors.add("service_error");
  }

  loaded(isGood: boolean): void {
    this.#loads.add(isGood ? "success" : "error");
  }

  /** Counts by upstream's table: hits up to, near and over the limit. */
  #count(to: Statistics, { decision, count, role }: RuleDecision): void {
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

  #of(rule: Rule, entries: readonly DescriptorEntry[]): Statistics {
    const { name: limit } = rule;
    const hasValues = isGiven(rule) || namesValues(rule);
    const name = hasValues ? this.#values.bounded(rule, upstreamName(rule, entries)) : undefined;
    // No limit's name contains a line end.
    const id = name === undefined ? limit : `${limit}\n${name}`;
    const found = this.#keys.get(id);
    if (found !== undefined) return found.labelled.of;
    const whole = name === OTHER ? otherName(rule, entries) : (name ?? upstreamName(rule, entries));
    const labelled = this.#labelledBy(whole);
    labelled.limits.add(limit);
    this.#keys.set(id, { limit, labelled });
    return labelled.of;
  }

  #labelledBy(name: string): Labelled {
    const labels = labelsOf(name);
    const id = JSON.stringify(labels);
    return entryOf(this.#labelled, id, () => ({ labels, limits: new Set(), of: [0, 0, 0, 0, 0] }));
  }

  /** Forgets limits that no longer exist. Statistics shared with other limits continue. */
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
    const loads = (result: string) =>
      alone(
        () => [...this.#loads.read()].find(({ labels }) => labels.result === result)?.value ?? 0,
      );
    const method = { grpc_method: "ShouldRateLimit" };
    const times = () => [this.#times.read(method)];
    return [
      ...STATISTICS.map((statistic, at) =>
        counter(`ratelimit_service_rate_limit_${statistic}`, () => this.#read(at)),
      ),
      counter("ratelimit_service_config_load_success", loads("success")),
      counter("ratelimit_service_config_load_error", loads("error")),
      counter(
        "ratelimit_service_global_shadow_mode",
        alone(() => this.#globalShadow),
      ),
      counter("ratelimit_service_should_rate_limit_error", () => this.#errors.read()),
      counter("ratelimit_service_total_requests", () => [
        { labels: method, value: this.#requests },
      ]),
      histogram("ratelimit_service_response_time_seconds", { bounds: BOUNDS, read: times }),
    ];
  }

  *#read(at: number): Iterable<Sample> {
    for (const { labels, of } of this.#labelled.values()) yield { labels, value: of[at] as number };
  }
}
