/**
 * The numbers by which a request names kinds and steps to the ports of the steps in Lua and SQL.
 *
 * `npm run embed` writes the same numbers into the ports. Kinds of rate have theirs from
 * `RATE_KINDS`, everything else from here.
 */
import { type Kind, type Plan, RATE_KINDS } from "../../limits/core/index.ts";

/** The number of each kind. */
export const KIND_NUMBERS = {
  ...Object.fromEntries(Object.entries(RATE_KINDS).map(([kind, { number }]) => [kind, number])),
  concurrency: 6,
} as { readonly [K in Kind]: number };

/** The numbers of kinds with `share`, whose states keep a list of lent units. */
export const LENT_KIND_NUMBERS: { readonly [kind: string]: number } = Object.fromEntries(
  Object.entries(RATE_KINDS)
    .filter(([, { lentNumber }]) => lentNumber > 0)
    .map(([kind, { lentNumber }]) => [`lent ${kind}`, lentNumber]),
);

/** Returns the number of a plan's kind for a port. */
export function kindNumber({ kind, share }: Plan): number {
  return (share > 0 && LENT_KIND_NUMBERS[`lent ${kind}`]) || KIND_NUMBERS[kind];
}

/**
 * The steps: each has a number, which comes first, and fields, which follow it.
 *
 * The numbers are below 0, because a number above 0 is a step of its own. It takes one unit from
 * the budget with that index, counted from 1.
 */
export const STEPS = {
  /** Takes from all of `asks` budgets or from none. The fields of `ASK` follow that many times. */
  take: { number: -1, fields: ["asks"] },
  settle: { number: -2, fields: ["budget", "reserved", "used"] },
  reset: { number: -3, fields: ["budget"] },
  block: { number: -4, fields: ["budget", "ms"] },
  unblock: { number: -5, fields: ["budget"] },
  release: { number: -6, fields: ["budget", "lease", "count"] },
  renew: { number: -7, fields: ["budget", "lease", "count"] },
  /**
   * Puts a plan in place of the budget's own: its number, from 1. With 0 ms that ends. It is the
   * only step of its request.
   */
  override: { number: -12, fields: ["budget", "plan", "ms"] },
  /**
   * Makes refusals of a budget by later steps count towards a penalty. With an `after` of 0 they do
   * not count any more, as at the start of a request.
   */
  penalty: { number: -13, fields: ["budget", "after", "within", "block", "most"] },
  /**
   * An id and units follow for each of `left` shares that the holder keeps, then of `back` that it
   * returns.
   */
  draw: { number: -11, fields: ["budget", "count", "reserve", "id", "want", "left", "back"] },
} as const;

/**
 * The fields of one ask, in order.
 *
 * - `budget`: the index of its budget, from 1.
 * - `count`: the units to take.
 * - `reserve`: 1 to take them ahead of time, else 0.
 * - `headroom`: the ticks that must be left; units if a lease will hold them.
 * - `lease`: the id of that lease, or 0.
 */
export const ASK = ["budget", "count", "reserve", "headroom", "lease"] as const;

/**
 * The steps of the Lua script: those above, a shorter form of the most frequent one, and reads of
 * lists.
 */
export const SCRIPT_STEPS = {
  ...STEPS,
  /** Takes one unit from each of `asks` budgets or from none. The indexes of the budgets follow. */
  "take units": { number: -8, fields: ["asks"] },
  /**
   * Takes nothing. Makes the reply report what the answers to `asks` depend on. The fields of `ASK`
   * follow that many times.
   */
  look: { number: -9, fields: ["asks"] },
  /** Makes the reply report the entries of a list one by one, until this many units are free. */
  show: { number: -10, fields: ["budget", "units"] },
} as const;

/** The fields of each part of the script's reply, in order. All are whole numbers. */
export const SCRIPT_REPLY = {
  head: ["now", "charged"],
  /** `age` is a difference, which has fewer digits: now - since. */
  state: ["used", "age"],
  /**
   * For states that have settled units, a previous window, a block, a penalty record or an
   * override. `place` is the index of the budget, from 1; `settled` is used - unsettled. If the key
   * has a record, `blockedUntil` is below 0, namely -1 - blockedUntil, and `record` follows. If an
   * override is in force, `place` is below 0, and `override` follows.
   */
  more: ["place", "settled", "previous", "blockedUntil"],
  record: ["refusals", "until", "level", "forgottenAt"],
  /**
   * `maxReserved` is -1 for `Infinity`, and `start` is -2⁵² if there is none. `others` is how often
   * `other` follows.
   */
  override: [
    "overriddenUntil",
    "kind",
    "rate",
    "period",
    "capacity",
    "maxReserved",
    "start",
    "others",
  ],
  /**
   * A state beside that of an override. Its `role` is 0 for that of the limit's own definition, 1
   * for the overflow record, 2 for one that only takes up room.
   */
  other: ["role", "used", "since", "unsettled", "previous", "until"],
  entry: ["instant", "units"],
  lease: ["until", "units", "id"],
} as const;
