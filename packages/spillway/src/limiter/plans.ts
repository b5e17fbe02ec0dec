import {
  badOption,
  checkOptions,
  isOptions,
  limitNamed,
  notOptions,
  RecentMap,
  unknownGroup,
  unknownLimit,
} from "../internal/index.ts";
import { planFor, shardPlans } from "../limits/algorithms/index.ts";
import {
  type Budget,
  checkLimit,
  checkMode,
  FULL_STORES,
  LIMIT_FIELDS,
  type Limit,
  type LimitMode,
  type LimitSettings,
  type Limits,
  noPenalties,
  type PenaltySettings,
  penaltyOf,
  SpillwayError,
  type WhenUnavailable,
} from "../limits/core/index.ts";
import { type DeclaredMode, type ModeScope, ModeSwitches } from "./modes/mode-switches.ts";
import type { TimeWarnings } from "./time-warnings.ts";

/**
 * The maximum number of inline configs to remember before starting over; each takes about 500
 * bytes.
 */
const MOST_INLINE = 1000;

/** The maximum number of removed limits to remember, for calls under way that settle. */
const MOST_REMOVED = 1000;

/** The settings common to all limits of a limiter. */
export type PlansSettings = {
  readonly times: TimeWarnings;
  /** For limits that do not define it themselves. */
  readonly whenUnavailable: WhenUnavailable;
  /** Whether the store can have limits with `penalty`. */
  readonly hasPenalties: boolean;
};

/** New definitions by name; null removes the limit. */
export type LimitUpdates = { readonly [name: string]: Limit | null };

/** The limits of a limiter, and those that come with calls: each as its budget without a key. */
export class LimiterPlans {
  /** The limits that are defined, by their names. */
  readonly defined = new Map<string, ModedBudget>();
  readonly #inline = new Map<string, Budget>();
  /** The last definitions of rates that were removed. */
  readonly #removed = new RecentMap<string, Budget>(MOST_REMOVED);
  readonly #times: TimeWarnings;
  readonly #whenUnavailable: WhenUnavailable;
  readonly #hasPenalties: boolean;
  readonly #switches = new ModeSwitches();
  #limits: Limits;

  /** @throws SpillwayError if a limit is invalid. */
  constructor(limits: Limits, { times, whenUnavailable, hasPenalties }: PlansSettings) {
    this.#times = times;
    this.#whenUnavailable = whenUnavailable;
    this.#hasPenalties = hasPenalties;
    this.#limits = limits;
    checkByName(limits);
    for (const [name, limit] of Object.entries(limits))
      this.defined.set(name, this.#budget(name, limit));
  }

  /** The limits as they are defined now. */
  get limits(): Limits {
    return this.#limits;
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
    const budget = this.#budget(name, config, false);
    if (this.#inline.size >= MOST_INLINE) this.#inline.clear();
    this.#inline.set(id, budget);
    return budget;
  }

  /**
   * Returns a budget under the present definition of its limit, if it is defined by name.
   *
   * @throws SpillwayError `unknown-limit` if the limit has been removed
   */
  current(budget: Budget): Budget {
    const isInline = (budget.settings as ModedBudget["settings"] | undefined)?.isInline !== false;
    return isInline ? budget : this.named(budget.plan.limit);
  }

  /** Returns the budget of a limit that is defined. @throws SpillwayError `unknown-limit` */
  named(name: string): Budget {
    const budget = this.defined.get(name);
    if (budget === undefined) throw this.unknown(name);
    return budget;
  }

  /** Returns the last budget of a rate that was removed; undefined if it is forgotten, or none. */
  removed(name: string): Budget | undefined {
    return this.#removed.get(name);
  }

  /**
   * Defines limits anew, adds or removes some. Nothing changes unless all of it is valid.
   *
   * @throws SpillwayError if a limit is invalid; `wrong-kind`, `unknown-limit`
   */
  update(updates: LimitUpdates): void {
    checkByName(updates);
    const limits = new Map(Object.entries(this.#limits));
    const changes = Object.entries(updates).map(([name, given]) => {
      if (given === null) return { name, was: limitNamed(this.#limits, name) };
      const limit = fieldsOf(given) as Limit;
      return { name, limit, budget: this.#updated(name, limit) };
    });
    for (const { name, limit, budget } of changes) {
      this.#switches.forget(name);
      if (budget === undefined) {
        this.#remove(name);
        limits.delete(name);
      } else {
        limits.set(name, limit);
        this.defined.set(name, budget);
        budget.settings.mode = this.#switches.modeOf(name, budget.settings);
      }
    }
    this.#limits = Object.fromEntries(limits);
  }

  #remove(name: string): void {
    const budget = this.defined.get(name) as ModedBudget;
    this.defined.delete(name);
    if (budget.plan.family.name !== "leases") this.#removed.set(name, budget);
  }

  /** Sets the mode of one limit, of a group, or of all. @throws SpillwayError for misuse */
  setMode(mode: LimitMode, scope: ModeScope): void {
    checkMode(mode);
    checkOptions("setMode", scope, ["limit", "group"]);
    const { limit, group } = scope;
    if (limit !== undefined && group !== undefined) {
      throw badOption("group", group, "nothing beside `limit`");
    }
    // An undefined name would mean all limits, by mistake.
    if ("limit" in scope) limitNamed(this.#limits, limit);
    const groups = new Set([...this.defined.values()].flatMap(({ settings }) => settings.groups));
    if ("group" in scope && !groups.has(group as string)) throw unknownGroup(group, [...groups]);
    this.#switches.set(mode, scope);
    for (const [name, { settings }] of this.defined) {
      settings.mode = this.#switches.modeOf(name, settings);
    }
  }

  /** Returns a limit's budget under a new definition. @throws SpillwayError for misuse */
  #updated(name: string, limit: Limit): ModedBudget {
    const known = this.defined.get(name);
    const budget = this.#budget(name, limit);
    const { kind } = known?.plan ?? budget.plan;
    if (budget.plan.kind === kind) return budget;
    throw new SpillwayError({
      code: "wrong-kind",
      limit: name,
      field: "kind",
      value: budget.plan.kind,
      expected: `"${kind}", as before: what keys have used counts for the new definition`,
      hint: "Give a limit of another kind another name",
    });
  }

  #budget(name: string, given: unknown, isDefined = true): ModedBudget {
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
    const { mode: declared = "enforce" } = limit;
    const groups = [...(limit.groups ?? [])];
    const mode = isDefined ? this.#switches.modeOf(name, { declared, groups }) : declared;
    const penalty = this.#penaltyOf(name, limit);
    const isInline = !isDefined;
    const settings = { whenUnavailable, shards, penalty, mode, declared, groups, isInline };
    return { plan, key: undefined, settings };
  }

  /** Returns the penalty of a checked limit. @throws SpillwayError `no-penalties` */
  #penaltyOf(limit: string, fields: Limit): PenaltySettings | undefined {
    const penalty = penaltyOf(limit, fields);
    if (penalty === undefined || this.#hasPenalties) return penalty;
    throw noPenalties({
      limit,
      field: "store.penalties",
      value: undefined,
      expected: "true, of a store that counts refusals",
      hint: FULL_STORES,
    });
  }
}

/** A budget whose mode changes. Calls under way notice it when they ask the store again. */
type ModedBudget = Budget & {
  readonly settings: Omit<LimitSettings, "mode"> &
    DeclaredMode & {
      mode: LimitMode;
      /** Whether its definition came with a call, so that no switch concerns it. */
      readonly isInline: boolean;
    };
};

/** @throws SpillwayError `bad-limit` if a value can't be limits by name */
function checkByName(limits: unknown): void {
  if (isOptions(limits, []) || hasFields(limits)) return;
  const problem = notOptions(limits, "limits by name");
  throw new SpillwayError({ code: "bad-limit", ...problem, field: "limits" });
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
