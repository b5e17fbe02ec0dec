import { isOptions, notOptions } from "../internal/index.ts";
import {
  type Ask,
  type Budget,
  type LeaseAsk,
  type LimitMode,
  type LimitSettings,
  type Limits,
  type Plan,
  type Random,
  SpillwayError,
  type Warn,
} from "../limits/core/index.ts";
import { checkAnswer, checkCount, checkFields, checkReserve, JOINT_FIELDS } from "./check-ask.ts";
import { badKey, DIGEST_INITIAL, LONGEST_KEY, storedKey } from "./key.ts";
import type { ModeScope } from "./modes/mode-switches.ts";
import { NameChecks } from "./name-checks.ts";
import type { AnyOptions, KeyOptions } from "./options.ts";
import { LimiterPlans, type LimitUpdates, type PlansSettings } from "./plans.ts";
import type { TimeWarnings } from "./time-warnings.ts";

/** The range of the counter in lease ids. After this many ids of one limiter, it starts again. */
const COUNTED = 2 ** 20;
/** The range of the random part of lease ids, which distinguishes limiters: the rest of 2⁵³. */
const DRAWN = 2 ** 33;

/** One of several asks that are taken together, on a limit of any name. */
export type AnyJointAsk = { readonly limit: string } & AnyOptions;

/** Converts names and options to asks for a store. */
export class Asks {
  readonly #plans: LimiterPlans;
  /** The last limit used, and its name. The next call often uses the same. */
  #last: Budget | undefined;
  #lastName: string | undefined;
  readonly #random: Random;
  readonly #times: TimeWarnings;
  #leases = 0;
  readonly #names: NameChecks;
  /** The number of calls with options until option names are checked again. */
  #untilChecked = 1;

  /** @throws SpillwayError if a limit is invalid. */
  constructor(limits: Limits, settings: AsksSettings) {
    this.#plans = new LimiterPlans(limits, settings);
    this.#random = settings.random;
    this.#times = settings.times;
    this.#names = new NameChecks(settings.warn);
  }

  /** The limits as they are defined now. */
  get limits(): Limits {
    return this.#plans.limits;
  }

  /** How each limit is enforced now, by its name. */
  get modes(): { readonly [limit: string]: LimitMode } {
    const all = [...this.#plans.defined];
    return Object.fromEntries(all.map(([name, { settings }]) => [name, modeIn(settings)]));
  }

  /** Defines limits anew. @throws SpillwayError for misuse */
  update(updates: LimitUpdates): void {
    this.#plans.update(updates);
    this.#last = undefined;
    this.#lastName = undefined;
  }

  /** Sets the mode of one limit, of a group, or of all. @throws SpillwayError for misuse */
  setMode(mode: LimitMode, scope: ModeScope = {}): void {
    this.#plans.setMode(mode, scope);
  }

  /** Warns of a wait that was probably meant in seconds. */
  noteWait(limit: string, wait: unknown): void {
    this.#times.wait(limit, wait);
  }

  /** Warns of the length of a block or override that was probably meant in seconds. */
  noteLength(limit: string, time: unknown): void {
    this.#times.length(limit, time);
  }

  /** Returns the ask of a call to a rate limit. @throws SpillwayError for misuse */
  ask(limit: string, options: AnyOptions | undefined, known: ReadonlySet<string>): Ask {
    const budget = this.#limitOf(limit, options, known);
    const key = keyOf(limit, options, known);
    if (budget.plan.family.name === "leases") throw wrongKind(budget.plan, RATES);
    return toAsk(budget, key, options);
  }

  /** Returns the ask of a call to a limit of any kind, without a lease. */
  anyAsk(limit: string, options: AnyOptions | undefined, known: ReadonlySet<string>): Ask {
    const budget = this.#limitOf(limit, options, known);
    return toAsk(budget, keyOf(limit, options, known), options);
  }

  /** Returns the ask of a call to a concurrency limit, with a new lease. */
  leaseAsk(limit: string, options: LeaseAskOptions | undefined, known: ReadonlySet<string>): Ask {
    const budget = this.#limitOf(limit, options, known);
    const key = keyOf(limit, options, known);
    if (budget.plan.family.name !== "leases") throw wrongKind(budget.plan, LEASES);
    const { headroom = 0 } = options ?? {};
    if (headroom !== 0) checkCount(limit, headroom, "headroom");
    return { ...toAsk(budget, key, options), lease: this.#newLease(headroom) };
  }

  /**
   * Returns the same ask by the present definition, with a lease that was never requested.
   *
   * @throws SpillwayError `unknown-limit`, `wrong-kind` if that is gone
   */
  anew(ask: Ask): Ask {
    const { plan, settings } = this.#plans.current(ask);
    if (plan.family.name !== "leases") throw wrongKind(plan, LEASES);
    return { ...ask, plan, settings, lease: this.#newLease(ask.lease?.headroom ?? 0) };
  }

  /** Returns the budget of a limit that is defined by name, without a key. */
  defined(limit: string): Budget | undefined {
    return this.#plans.defined.get(limit);
  }

  /** Returns the budget of a call: its plan, key and settings. */
  budget(limit: string, options: KeyOptions | undefined, known: ReadonlySet<string>): Budget {
    const { plan, settings } = this.#limitOf(limit, options, known);
    return { plan, key: keyOf(limit, options, known), settings };
  }

  /**
   * Returns the budget of a call that settles. Its limit may have been removed since the units were
   * taken.
   */
  settled(limit: string, options: KeyOptions | undefined, known: ReadonlySet<string>): Budget {
    const isGone = options?.config === undefined && !isRate(this.#plans.defined.get(limit));
    const removed = isGone ? this.#plans.removed(limit) : undefined;
    if (removed !== undefined) {
      return { plan: removed.plan, key: keyOf(limit, options, known), settings: removed.settings };
    }
    const budget = this.budget(limit, options, known);
    if (!isRate(budget)) throw wrongKind(budget.plan, RATES);
    return budget;
  }

  /**
   * Returns one of several asks that are taken together, with a lease if its limit is a concurrency
   * limit.
   */
  oneOf(one: AnyJointAsk): Ask {
    // Any value with the name of a limit passes for an ask: a closer check would cost as much as
    // everything else.
    if (typeof one?.limit !== "string" && !isOptions(one, JOINT_FIELDS)) {
      const problem = notOptions(one, 'an ask such as { limit: "login", key: userId }');
      throw new SpillwayError({ code: "bad-ask", ...problem, field: "ask" });
    }
    const ask = this.anyAsk(one.limit, one, JOINT_FIELDS);
    return ask.plan.family.name === "leases" ? { ...ask, lease: this.#newLease(0) } : ask;
  }

  /**
   * Returns the budget of a call's limit without a key. Checks the names of the call's options
   * first.
   */
  #limitOf(limit: string, options: KeyOptions | undefined, known: ReadonlySet<string>): Budget {
    if (options !== undefined && --this.#untilChecked <= 0) {
      this.#untilChecked = this.#names.check(limit, options, known);
    }
    const config = options?.config;
    if (config !== undefined) return this.#plans.inline(limit, config);
    const last = this.#last;
    if (last !== undefined && this.#lastName === limit) return last;
    const budget = this.#plans.named(limit);
    this.#last = budget;
    this.#lastName = limit;
    return budget;
  }

  #newLease(headroom: number): LeaseAsk {
    this.#leases = (this.#leases + 1) % COUNTED;
    const drawn = Math.min(DRAWN - 1, Math.floor(this.#random() * DRAWN));
    return { id: drawn * COUNTED + this.#leases, headroom };
  }
}

type AsksSettings = PlansSettings & { readonly random: Random; readonly warn: Warn };

type LeaseAskOptions = AnyOptions & { readonly headroom?: number };

function modeIn(settings: LimitSettings | undefined): LimitMode {
  return settings?.mode ?? "enforce";
}

function toAsk(
  { plan, settings }: Budget,
  key: string | undefined,
  options: AnyOptions | undefined,
): Ask {
  if (options === undefined) {
    return { plan, key, settings, count: 1, reserve: false, lease: undefined };
  }
  const { count = 1, reserve = false } = options;
  if (count !== 1) checkCount(plan.limit, count);
  if (reserve !== false) checkReserve(plan, reserve);
  if (options.jitter !== undefined || options.throws !== undefined) checkAnswer(options);
  return { plan, key, settings, count, reserve, lease: undefined };
}

function keyOf(limit: string, options: KeyOptions | undefined, known: ReadonlySet<string>) {
  const key = options?.key;
  if (typeof key === "string") {
    const isPlain = key.length <= LONGEST_KEY && key.charCodeAt(0) !== DIGEST_INITIAL;
    return isPlain ? key : storedKey(key);
  }
  return options === undefined ? undefined : noKey(limit, options, known);
}

/**
 * Checks options whose key is not a string: only a missing key is valid. @throws SpillwayError
 * `bad-ask`, `bad-key`
 */
function noKey(limit: string, options: KeyOptions, known: ReadonlySet<string>): undefined {
  checkFields(limit, options, known);
  if ("key" in options) throw badKey(limit, options.key);
}

const RATES = {
  expected: "a limit of another kind: units of a concurrency limit come back only when released",
  hint: "Use acquire or run, or limitAll together with other limits",
};
const LEASES = {
  expected: 'a limit of the kind "concurrency"',
  hint: "Use limit: units of a rate come back by themselves",
};

function isRate(budget: Budget | undefined): boolean {
  return budget !== undefined && budget.plan.family.name !== "leases";
}

function wrongKind(plan: Plan, { expected, hint }: typeof RATES): SpillwayError {
  const { limit, kind } = plan;
  return new SpillwayError({
    code: "wrong-kind",
    limit,
    field: "kind",
    value: kind,
    expected,
    hint,
  });
}
