/** A limit as people write it in fields and addresses. All functions are pure. */
import { type Limit, RateLimiter, SpillwayError } from "spillway";
import { RATE_KINDS } from "spillway/support";
import { readRate } from "../../packages/server/src/commands/try/read-rate.ts";
import { durationText, rateText, readDuration } from "./texts.ts";

export type RateKind = keyof typeof RATE_KINDS;
export type Kind = RateKind | "concurrency";

/** A limit of a rate; `capacity` only for kinds that have one. `period` is in milliseconds. */
export type RateSetup = {
  readonly kind: RateKind;
  readonly rate: number;
  readonly period: number;
  readonly capacity?: number;
};

/** A limit of work in flight. Each admitted request works for `work`; times are milliseconds. */
export type ConcurrencySetup = {
  readonly kind: "concurrency";
  readonly capacity: number;
  readonly ttl: number;
  readonly work: number;
};

/** A limit of the playground. */
export type LimitSetup = RateSetup | ConcurrencySetup;

export const KINDS: readonly Kind[] = [
  ...(Object.keys(RATE_KINDS) as readonly RateKind[]),
  "concurrency",
];

/** How long work may last, in milliseconds: a day. */
const LONGEST_WORK = 86_400_000;

export function isConcurrency(limit: LimitSetup): limit is ConcurrencySetup {
  return limit.kind === "concurrency";
}

/** Whether limits of a kind have a capacity of their own. */
export function hasCapacity(kind: Kind): boolean {
  return kind === "concurrency" || RATE_KINDS[kind].holds;
}

/** Whether limits of a kind count by windows. */
export function hasWindows(kind: Kind): boolean {
  return kind !== "concurrency" && RATE_KINDS[kind].windows;
}

/** The limit with another kind: its capacity goes where the kind has none. */
export function withKind(limit: LimitSetup, kind: Kind): LimitSetup {
  if (kind === "concurrency") return isConcurrency(limit) ? limit : heldLike(limit);
  const { rate, period, capacity = rate } = isConcurrency(limit) ? rateLike(limit) : limit;
  return hasCapacity(kind) ? { kind, rate, period, capacity } : { kind, rate, period };
}

/** Admits as many in the long run, if each works for as long as the bucket needs to fill up. */
function heldLike({ rate, period, capacity = rate }: RateSetup): ConcurrencySetup {
  const held = Math.max(1, capacity);
  const work = Math.min(LONGEST_WORK, Math.max(1, Math.round((held * period) / Math.max(1, rate))));
  return { kind: "concurrency", capacity: held, ttl: 2 * work, work };
}

/** As many units in the time of one work. */
function rateLike({ capacity, work }: ConcurrencySetup): RateSetup {
  return { kind: "token bucket", rate: capacity, period: Math.max(1, work), capacity };
}

/** What a `RateLimiter` receives for a limit. */
export function definitionOf(limit: LimitSetup): Limit {
  if (!isConcurrency(limit)) return limit as Limit;
  const { kind, capacity, ttl } = limit;
  return { kind, capacity, ttl };
}

/** Formats a limit, such as `token bucket:10/min:20` or `concurrency:3:10s:2s`. */
export function limitText(limit: LimitSetup): string {
  if (isConcurrency(limit)) {
    const { kind, capacity, ttl, work } = limit;
    return [kind, capacity, durationText(ttl), durationText(work)].join(":");
  }
  const { kind, rate, period, capacity } = limit;
  const parts = [kind, rateText({ rate, period })];
  return [...parts, ...(capacity === undefined ? [] : [String(capacity)])].join(":");
}

/**
 * Parses what `limitText` formats.
 *
 * @throws Error that says what is wrong, and what was expected
 */
export function readLimitText(text: string): LimitSetup {
  const [name = "", ...numbers] = text.split(":");
  const kind = KINDS.find((one) => one === name.trim().toLowerCase());
  if (kind === undefined) {
    throw new Error(`the kind ${JSON.stringify(name)} is unknown, expected ${KINDS.join(", ")}`);
  }
  return kind === "concurrency" ? readConcurrency(numbers) : readRateSetup(kind, numbers);
}

function readRateSetup(kind: RateKind, [text = "", capacity]: readonly string[]): LimitSetup {
  const numbers = readRateText(text);
  const held = capacity === undefined ? numbers.rate : Number(capacity);
  return checked(hasCapacity(kind) ? { kind, ...numbers, capacity: held } : { kind, ...numbers });
}

function readConcurrency([capacity = "", ttl = "30s", work = "1s"]: readonly string[]): LimitSetup {
  const times = { ttl: readDuration(ttl), work: readDuration(work) };
  const units = capacity === "" ? Number.NaN : Number(capacity);
  return checked({ kind: "concurrency", capacity: units, ...times });
}

/** Parses a rate such as `10/min`. @throws Error that says what is wrong */
export function readRateText(text: string): { readonly rate: number; readonly period: number } {
  return readRate(text);
}

/** Returns a limit that the library accepts. @throws Error with the library's reason */
export function checked(limit: LimitSetup): LimitSetup {
  checkWork(limit);
  try {
    // A short period is a choice here, not a mistake.
    new RateLimiter({ requests: definitionOf(limit) }, { warn: () => {} });
    return limit;
  } catch (error) {
    throw error instanceof SpillwayError ? new Error(error.message) : error;
  }
}

function checkWork(limit: LimitSetup): void {
  if (!isConcurrency(limit)) return;
  if (limit.work >= 1 && limit.work <= LONGEST_WORK) return;
  throw new Error(`work lasts ${limit.work} ms, expected from 1 ms to a day`);
}
