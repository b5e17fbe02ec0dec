import { isOptions, notOptions, unknownLimit } from "../internal/index.ts";
import { planFor, shardPlans } from "../limits/algorithms/index.ts";
import {
  type Budget,
  checkLimit,
  LIMIT_FIELDS,
  type Limit,
  type Limits,
  SpillwayError,
  type WhenUnavailable,
} from "../limits/core/index.ts";
import type { TimeWarnings } from "./time-warnings.ts";

/**
 * The maximum number of inline configs to remember before starting over; each takes about 500
 * bytes.
 */
const MOST_INLINE = 1000;

/** The settings common to all limits of a limiter. */
export type PlansSettings = {
  readonly times: TimeWarnings;
  /** For limits that do not define it themselves. */
  readonly whenUnavailable: WhenUnavailable;
};

/** The limits of a limiter, and those that come with calls: each as its budget without a key. */
export class LimiterPlans {
  /** The limits that are defined, by their names. */
  readonly defined = new Map<string, Budget>();
  readonly #inline = new Map<string, Budget>();
  readonly #times: TimeWarnings;
  readonly #whenUnavailable: WhenUnavailable;

  /** @throws SpillwayError if a limit is invalid. */
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

  /** Returns the error for a name that no limit has. */
  unknown(name: string): SpillwayError {
    const hint = "Define it with the limiter, or pass `config`";
    return unknownLimit(name, () => this.defined.keys(), { hint });
  }

  /**
   * Returns the plan of a limit that was passed with a call. @throws SpillwayError if it is invalid
   */
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
    // The shards of a limit can be inexact even if the limit is not. Reports that now.
    if (shards > 1) shardPlans(plan, shards);
    return { plan, key: undefined, settings: { whenUnavailable, shards } };
  }
}

/**
 * Whether a value that is not a plain object can be limits by name. A promise or a map has no
 * fields of its own, and can't.
 */
function hasFields(limits: unknown): boolean {
  const isList = typeof limits === "object" && limits !== null && !(Symbol.iterator in limits);
  return isList && Object.keys(limits).length > 0;
}

/** Returns a text that distinguishes a limit from all others. */
function identity(name: string, limit: Limit): string {
  const fields: { readonly [field: string]: unknown } = limit;
  return JSON.stringify([name, ...LIMIT_FIELDS.map((field) => fields[field] ?? null)]);
}

/**
 * Reads a limit's fields once, so that the values checked are the values used.
 *
 * The fields may be an object's own, inherited, or computed when they are read.
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
