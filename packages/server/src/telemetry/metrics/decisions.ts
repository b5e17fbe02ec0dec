/** Counts decisions by limit. */
import type { Reason } from "spillway";
import type { DecidedCall, RuleDecision } from "../../service/index.ts";
import { counter, type Sample, type Series } from "./series.ts";
import { entryOf } from "./tally.ts";

const OUTCOMES = [
  "admitted",
  "limited",
  "too large",
  "blocked",
  "penalized",
  "shed",
  "unavailable",
] as const;
const ROLES = ["must", "shadow", "quota", "off"] as const;
const PLACES: ReadonlyMap<Reason | undefined, number> = new Map(
  OUTCOMES.map((outcome, place) => [outcome as Reason, place]),
);

/**
 * The label of each role: its refusals are enforced, not enforced, or belong to one of several
 * quotas; or it is not asked.
 */
const MODE_NAMES = { must: "enforced", shadow: "shadow", quota: "quota", off: "off" } as const;

type DecisionMetric = "spillway_decisions_total" | "spillway_checks_total";

/** The counts of one limit. */
class LimitCounts {
  /** By mode, then by outcome. */
  readonly decisions = new Float64Array(ROLES.length * OUTCOMES.length);
  readonly units = new Float64Array(ROLES.length);
  /** Refused, then admitted. */
  readonly degraded: [number, number] = [0, 0];
}

/** Whether the service enforces nothing, and whether the request was admitted. */
type Enforcement = { readonly isShadow: boolean; readonly isAdmitted: boolean };

/** Counts decisions. The labels are names of limits, which come from the rules. */
export class DecisionCounter {
  readonly #name: DecisionMetric;
  readonly #limits = new Map<string, LimitCounts>();

  /** @param name The name of the series of decisions. */
  constructor(name: DecisionMetric) {
    this.#name = name;
  }

  note({ response, isShadow }: DecidedCall): void {
    for (const outcome of response.outcomes) {
      if (outcome === undefined) continue;
      this.#add(outcome, { isShadow, isAdmitted: response.joint?.ok ?? true });
    }
  }

  #add({ decision, role, count }: RuleDecision, { isShadow, isAdmitted }: Enforcement): void {
    const counts = entryOf(this.#limits, decision.limit, () => new LimitCounts());
    const mode = ROLES.indexOf(isShadow ? "shadow" : role);
    const outcome = decision.ok ? 0 : (PLACES.get(decision.reason) ?? 1);
    (counts.decisions[mode * OUTCOMES.length + outcome] as number)++;
    if (decision.ok && isAdmitted) (counts.units[mode] as number) += count;
    if (decision.degraded) counts.degraded[decision.ok ? 1 : 0]++;
  }

  /** Forgets limits that no longer exist. */
  keep(isKept: (limit: string) => boolean): void {
    for (const limit of this.#limits.keys()) if (!isKept(limit)) this.#limits.delete(limit);
  }

  get series(): readonly Series[] {
    return [
      counter(this.#name, () => this.#decisions()),
      counter("spillway_units_total", () => this.#units()),
      counter("spillway_degraded_decisions_total", () => this.#degraded()),
    ];
  }

  /**
   * Both common outcomes exist from the first decision on, so that the first refusal shows as an
   * increase.
   */
  *#decisions(): Iterable<Sample> {
    for (const [limit, { decisions }] of this.#limits) {
      for (const [at, mode] of ROLES.entries()) {
        const own = decisions.subarray(at * OUTCOMES.length, (at + 1) * OUTCOMES.length);
        if (own.every((value) => value === 0)) continue;
        for (const [place, outcome] of OUTCOMES.entries()) {
          const value = own[place] as number;
          if (value === 0 && place > 1) continue;
          yield { labels: { limit, mode: MODE_NAMES[mode], outcome }, value };
        }
      }
    }
  }

  *#units(): Iterable<Sample> {
    for (const [limit, { units }] of this.#limits) {
      for (const [at, mode] of ROLES.entries()) {
        const value = units[at] as number;
        if (value > 0) yield { labels: { limit, mode: MODE_NAMES[mode] }, value };
      }
    }
  }

  *#degraded(): Iterable<Sample> {
    for (const [limit, { degraded }] of this.#limits) {
      for (const [at, outcome] of ["refused", "admitted"].entries()) {
        const value = degraded[at] as number;
        if (value > 0) yield { labels: { limit, outcome }, value };
      }
    }
  }
}
