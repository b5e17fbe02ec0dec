/**
 * How a request names kinds and steps to the ports of the steps in Lua and in SQL. `npm run embed`
 * writes the same numbers into them: kinds of rate have theirs from `RATE_KINDS`, all else from here.
 */
import { type Kind, type Plan, RATE_KINDS } from "../../limits/core/index.ts";

/** The number of each kind. */
export const KIND_NUMBERS = {
  ...Object.fromEntries(Object.entries(RATE_KINDS).map(([kind, { number }]) => [kind, number])),
  concurrency: 6,
} as { readonly [K in Kind]: number };

/** The numbers of kinds with `share`, whose states keep a list of what is lent. */
export const LENT_KIND_NUMBERS: { readonly [kind: string]: number } = Object.fromEntries(
  Object.entries(RATE_KINDS)
    .filter(([, { lentNumber }]) => lentNumber > 0)
    .map(([kind, { lentNumber }]) => [`lent ${kind}`, lentNumber]),
);

/** What a plan's kind is called to a port. */
export function kindNumber({ kind, share }: Plan): number {
  return (share > 0 && LENT_KIND_NUMBERS[`lent ${kind}`]) || KIND_NUMBERS[kind];
}

/**
 * The steps: the number that stands first, and what follows it. Numbers are below 0, for a number
 * above 0 is a step by itself: take one unit of the budget of that place, counted from 1.
 */
export const STEPS = {
  /** From all of `asks` budgets or from none: `ASK` follows as many times. */
  take: { number: -1, fields: ["asks"] },
  settle: { number: -2, fields: ["budget", "reserved", "used"] },
  reset: { number: -3, fields: ["budget"] },
  block: { number: -4, fields: ["budget", "ms"] },
  unblock: { number: -5, fields: ["budget"] },
  release: { number: -6, fields: ["budget", "lease", "count"] },
  renew: { number: -7, fields: ["budget", "lease", "count"] },
  /** An id and units follow for each of `left` shares that the holder keeps, then of `back` that it gives back. */
  draw: { number: -11, fields: ["budget", "count", "reserve", "id", "want", "left", "back"] },
} as const;

/**
 * What is said of one ask: the place of its budget; units; 1 to take them ahead of time; ticks that have
 * to be left, which are units where a lease is to hold them; the id of that lease, or 0.
 */
export const ASK = ["budget", "count", "reserve", "headroom", "lease"] as const;

/** The steps that the script in Lua knows: those above, a shorter one for what is asked most, and reads of lists. */
export const SCRIPT_STEPS = {
  ...STEPS,
  /** One unit from each of `asks` budgets or from none: their places follow. */
  "take units": { number: -8, fields: ["asks"] },
  /** Takes nothing, but has the reply report what the answers to `asks` depend on: `ASK` follows as many times. */
  look: { number: -9, fields: ["asks"] },
  /** Has the reply report what a list holds until so many units are free, one by one. */
  show: { number: -10, fields: ["budget", "units"] },
} as const;

/** The fields of the parts of the script's reply, in their order: all of them whole numbers. */
export const SCRIPT_REPLY = {
  head: ["now", "charged"],
  /** Differences, so that few digits travel: `age` is now - since, `settled` used - unsettled. */
  state: ["used", "age", "settled"],
  /** Of states that are windowed or blocked; places count from 1. */
  more: ["place", "previous", "blockedUntil"],
  entry: ["instant", "units"],
  lease: ["until", "units", "id"],
} as const;
