/**
 * Counts decisions by the values of requests, for rules with `detailed_metric` or
 * `value_to_metric`.
 *
 * Values come from untrusted callers. A rule has series for its first hundred values, all rules
 * together for ten thousand. Further values are counted as `other`.
 */
import { printable } from "spillway/support";
import { type DescriptorEntry, descriptorName, type Rule } from "../../rules/index.ts";
import type { DecidedCall } from "../../service/index.ts";
import { counter, type Sample, type Series } from "./series.ts";
import { entryOf } from "./tally.ts";

/** The maximum number of different values with a series. */
export type MostValues = { readonly ofRule: number; readonly ofAll: number };

const MOST: MostValues = { ofRule: 100, ofAll: 10_000 };
const LONGEST_VALUE = 100;

/**
 * The name for all values beyond the bound. No descriptor has this name, because each contains a
 * `/`.
 */
export const OTHER = "other";

/** Refused, then admitted. */
type OutcomeCounts = [number, number];

export class DescriptorCounter {
  readonly #most: MostValues;
  readonly #rules = new Map<string, Map<string, OutcomeCounts>>();
  #size = 0;

  constructor(most: MostValues = MOST) {
    this.#most = most;
  }

  note({ request, response }: DecidedCall): void {
    for (const [place, outcome] of response.outcomes.entries()) {
      if (outcome === undefined || !namesValues(outcome.rule)) continue;
      const name = this.name(outcome.rule, request.descriptors[place]?.entries ?? []);
      (this.#of(outcome.rule.name).get(name) as OutcomeCounts)[outcome.decision.ok ? 1 : 0]++;
    }
  }

  /** Returns the name under which a rule's values are counted: `other` if there are too many. */
  name(rule: Rule, entries: readonly DescriptorEntry[]): string {
    return this.bounded(rule, descriptorName(rule, entries, shownValue));
  }

  /** Returns the name, or `other` if the limit, or all limits together, have too many. */
  bounded({ name: limit }: Rule, name: string): string {
    const known = this.#of(limit);
    if (known.has(name)) return name;
    const isFull = known.size >= this.#most.ofRule || this.#size >= this.#most.ofAll;
    const used = isFull ? OTHER : name;
    if (!known.has(used)) {
      known.set(used, [0, 0]);
      this.#size++;
    }
    return used;
  }

  #of(limit: string): Map<string, OutcomeCounts> {
    return entryOf(this.#rules, limit, () => new Map<string, OutcomeCounts>());
  }

  /** Forgets the values of limits that no longer exist. */
  keep(isKept: (limit: string) => boolean): void {
    for (const [limit, known] of this.#rules) {
      if (isKept(limit)) continue;
      this.#rules.delete(limit);
      this.#size -= known.size;
    }
  }

  get series(): readonly Series[] {
    return [counter("spillway_descriptor_decisions_total", () => this.#read())];
  }

  *#read(): Iterable<Sample> {
    for (const [limit, known] of this.#rules) {
      for (const [descriptor, counts] of known) {
        for (const [at, outcome] of ["refused", "admitted"].entries()) {
          yield { labels: { limit, descriptor, outcome }, value: counts[at] as number };
        }
      }
    }
  }
}

/** Whether a rule counts values of requests separately. Pure. */
export function namesValues({ metric }: Rule): boolean {
  return metric.detailed || metric.levels.includes(true);
}

/**
 * Formats a value of a request for a label: cut, and without characters that could hide text. Pure.
 */
export function shownValue(value: string): string {
  return printable(value, LONGEST_VALUE);
}
