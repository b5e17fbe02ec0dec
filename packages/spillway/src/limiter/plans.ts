import { isOptions, notOptions, unknownLimit } from "../internal/index.ts";
import { planFor } from "../limits/algorithms/index.ts";
import {
  type Budget,
  checkLimit,
  LIMIT_FIELDS,
  type Limit,
  type Limits,
  SpillwayError,
  type WhenUnavailable,
} from "../limits/core/index.ts";
import { shardPlans } from "../stores/index.ts";
import type { TimeWarnings } from "./time-warnings.ts";

/** Inline configs to remember before starting over; each costs some 500 bytes. */
const MOST_INLINE = 1000;

/** What holds for all of a limiter's limits. */
export type PlansSettings = {
  readonly times: TimeWarnings;
  /** For limits that don't say themselves. */
  readonly whenUnavailable: WhenUnavailable;
};

/** The limits of a limiter, and those that come with calls: each as its budget without a key. */
export class Plans {
  /** The limits that are defined, by their names. */
  readonly defined = new Map<string, Budget>();
  readonly #inline = new Map<string, Budget>();
  readonly #times: TimeWarnings;
  readonly #whenUnavailable: WhenUnavailable;

  /** @throws SpillwayError where a limit is not one. */
  constructor(limits: Limits, { times, whenUnavailable }: PlansSettings) {
    this.#times = times;
    this.#whenUnavailable = whenUnavailable;
    if (!isOptions(limits, []) && !hasFields(limits)) {
      const problem = notOptions(limits, "limits by name");
      throw new SpillwayError({ code: "bad-limit", ...problem, field: "limits" });
    }
    for (const [name, limit] of Object.entries(limits))
      this.defined.set(name, this.#budget(name, limit));
  }

  /** The error for a name that no limit has. */
  unknown(name: string): SpillwayError {
    const hint = "Define it with the limiter, or pass `config`";
    return unknownLimit(name, () => this.defined.keys(), { hint });
  }

  /** The plan of a limit that came with a call. @throws SpillwayError where it is not one. */
  inline(name: string, given: unknown): Budget {
    const config = fieldsOf(given);
    checkLimit(name, config);
    const id = identity(name, config);
    const known = this.#inline.get(id);
    if (known !== undefined) return known;
    const budget = this.#budget(name, config);
    if (this.#inline.size >= MOST_INLINE) this.#inline.clear();
    this.#inline.set(id, budget);
    return budget;
  }

  #budget(name: string, given: unknown): Budget {
    const limit = fieldsOf(given);
    if (typeof name !== "string") {
      const expected = "the name of a limit";
      throw new SpillwayError({ code: "unknown-limit", field: "limit", value: name, expected });
    }
    checkLimit(name, limit);
    this.#times.limit(name, limit);
    const plan = planFor(name, limit);
    const { whenUnavailable = this.#whenUnavailable } = limit;
    const shards = ("shards" in limit ? limit.shards : undefined) ?? 1;
    // Parts of a limit can be inexact where the limit is not: better known now.
    if (shards > 1) shardPlans(plan, shards);
    return { plan, key: undefined, settings: { whenUnavailable, shards } };
  }
}

/** What is no plain object and has nothing of its own, such as a promise or a map, is no list of limits. */
function hasFields(limits: unknown): boolean {
  const isList = typeof limits === "object" && limits !== null && !(Symbol.iterator in limits);
  return isList && Object.keys(limits).length > 0;
}

/** What distinguishes one limit from another. */
function identity(name: string, limit: Limit): string {
  const fields: { readonly [field: string]: unknown } = limit;
  return JSON.stringify([name, ...LIMIT_FIELDS.map((field) => fields[field] ?? null)]);
}

/**
 * A limit's fields, read once: what is checked is what is used, whether they are an object's own, or
 * inherited, or computed when they are read.
 */
function fieldsOf(limit: unknown): unknown {
  if (typeof limit !== "object" || limit === null || Array.isArray(limit)) return limit;
  const fields: Record<string, unknown> = { ...limit };
  for (const field of LIMIT_FIELDS) {
    const value = field in fields ? fields[field] : (limit as Record<string, unknown>)[field];
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}
