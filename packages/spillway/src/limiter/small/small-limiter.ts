import { isOptions } from "../../internal/index.ts";
import {
  type Ask,
  type Budget,
  type Clock,
  type Decision,
  type Duration,
  milliseconds,
  systemClock,
  type Value,
} from "../../limits/core/index.ts";
import { type MemoryStats, MOST_KEYS, usualMaxKeys } from "../../stores/memory/index.ts";
import { storedKey } from "../key.ts";
import { checkedPlan, checkNames } from "./checks.ts";
import { CodedError } from "./coded-error.ts";
import type { SmallLimit } from "./kinds.ts";
import { SmallStore } from "./small-store.ts";

/** The options of a small limiter. */
export type SmallLimiterOptions = {
  /** Returns the time. Default: the machine's clock. */
  readonly clock?: Clock;
  /** The maximum number of keys to keep: see `maxKeys` of `memoryStore`. */
  readonly maxKeys?: number;
};

/** The options of a call of a small limiter. */
export type SmallOptions = {
  /** The key whose budget it is. If missing, the limit is one budget for all callers. */
  readonly key?: string;
  /** Units to take: a whole number. Default: 1. 0 asks whether one unit is left. */
  readonly count?: number;
  /** Whether to take ahead of time what is not there yet. Default: false. */
  readonly reserve?: boolean;
};

type KeyOnly = Pick<SmallOptions, "key">;

const KEY = ["key"];
const ASK = ["key", "count", "reserve"];
const STORE = ["clock", "maxKeys"];

/**
 * Decides for each call, in the memory of this process: start now, at a known time, or refuse.
 *
 * The decisions are those of a `RateLimiter` with a memory store. Created by `limiter`.
 */
export class SmallLimiter<L extends Readonly<Record<string, SmallLimit>>> {
  readonly #budgets = new Map<string, Budget>();
  readonly #store: SmallStore;

  constructor(limits: L, options: SmallLimiterOptions) {
    if (!isOptions(limits, [])) {
      throw new CodedError("bad-limit", { field: "limits" });
    }
    for (const [name, limit] of Object.entries(limits)) {
      this.#budgets.set(name, { plan: checkedPlan(name, limit), key: undefined });
    }
    this.#store = new SmallStore(settingsOf(options));
  }

  /** Takes units from a key's budget, if they are there. A refusal takes nothing. */
  limit(limit: keyof L & string, options?: SmallOptions): Decision {
    return this.#store.limit(this.#ask(limit, options));
  }

  /** Returns what `limit` would return now, and takes nothing. */
  check(limit: keyof L & string, options?: SmallOptions): Decision {
    return this.#store.check(this.#ask(limit, options));
  }

  /** Reads what a key has left. To decide, use `limit`. */
  value(limit: keyof L & string, options?: KeyOnly): Value {
    return this.#store.read(this.#budget(limit, options, KEY));
  }

  /** Forgets what a key has used. A block stays. */
  reset(limit: keyof L & string, options?: KeyOnly): void {
    this.#store.forget(this.#budget(limit, options, KEY));
  }

  /** Refuses all calls of a key for a time, with reason `blocked`. Replaces an earlier block. */
  block(limit: keyof L & string, options: KeyOnly & { readonly for: Duration }): void {
    const budget = this.#budget(limit, options, ["key", "for"]);
    const ms = milliseconds(options?.for);
    if (ms === undefined) throw new CodedError("bad-block", { limit, field: "for" });
    this.#store.refuse(budget, ms);
  }

  /** Ends a block early. Used units stay used. */
  unblock(limit: keyof L & string, options?: KeyOnly): void {
    this.#store.admit(this.#budget(limit, options, KEY));
  }

  /** Returns how many keys are kept, and how many were evicted for lack of room. */
  stats(): MemoryStats {
    return this.#store.stats();
  }

  #ask(limit: string, options: SmallOptions | undefined): Ask {
    const { plan, key } = this.#budget(limit, options, ASK);
    const { count = 1, reserve = false } = options ?? {};
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new CodedError("bad-count", { limit, field: "count" });
    }
    if (typeof reserve !== "boolean") {
      throw new CodedError("bad-option", { limit, field: "reserve" });
    }
    if (reserve && !plan.reservable) {
      throw new CodedError("no-reservations", { limit, field: "reserve" });
    }
    return { plan, key, settings: undefined, count, reserve, lease: undefined };
  }

  #budget(limit: string, options: KeyOnly | undefined, known: readonly string[]): Budget {
    const budget = this.#budgets.get(limit);
    if (budget === undefined) throw new CodedError("unknown-limit", { limit, field: "limit" });
    if (options === undefined) return budget;
    if (!isOptions(options, known)) {
      throw new CodedError("bad-ask", { limit, field: "options" });
    }
    checkNames(limit, options, known);
    const { key } = options;
    if (typeof key === "string") return { plan: budget.plan, key: storedKey(key) };
    // An undefined key would be one budget for all callers, by mistake.
    if ("key" in options) throw new CodedError("bad-key", { limit, field: "key" });
    return budget;
  }
}

/**
 * Creates a small limiter, with a memory of its own. Create one for the whole program.
 *
 * @throws CodedError if a limit or an option is invalid.
 * @example
 * const limits = limiter({ search: slidingWindow({ rate: 60, period: "1m" }) });
 * const { ok, retryAfter } = limits.limit("search", { key: userId });
 */
export function limiter<const L extends Readonly<Record<string, SmallLimit>>>(
  limits: L,
  options: SmallLimiterOptions = {},
): SmallLimiter<L> {
  return new SmallLimiter(limits, options);
}

function settingsOf(options: SmallLimiterOptions) {
  if (!isOptions(options, STORE)) throw new CodedError("bad-option", { field: "options" });
  checkNames(undefined, options, STORE);
  const { clock = systemClock, maxKeys = usualMaxKeys() } = options;
  if (typeof clock !== "function" || !Number.isSafeInteger(clock())) {
    throw new CodedError("bad-clock", { field: "clock" });
  }
  if (!Number.isInteger(maxKeys) || maxKeys < 1 || maxKeys > MOST_KEYS) {
    throw new CodedError("bad-max-keys", { field: "maxKeys" });
  }
  return { clock: clock === systemClock ? clock : () => Math.max(0, clock()), maxKeys };
}
