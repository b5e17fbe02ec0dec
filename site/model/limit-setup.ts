/** A limit as people write it in fields and addresses. All functions are pure. */
import { type Rate, RateLimiter, SpillwayError } from "spillway";
import { RATE_KINDS } from "spillway/support";
import { readRate } from "../../packages/server/src/commands/try/read-rate.ts";
import { rateText } from "./texts.ts";

export type RateKind = keyof typeof RATE_KINDS;

/** A limit of the playground; `capacity` only for kinds that have one. `period` is in milliseconds. */
export type LimitSetup = {
  readonly kind: RateKind;
  readonly rate: number;
  readonly period: number;
  readonly capacity?: number;
};

export const KINDS = Object.keys(RATE_KINDS) as readonly RateKind[];

/** Whether limits of a kind have a capacity of their own. */
export function hasCapacity(kind: RateKind): boolean {
  return RATE_KINDS[kind].holds;
}

/** Whether limits of a kind count by windows. */
export function hasWindows(kind: RateKind): boolean {
  return RATE_KINDS[kind].windows;
}

/** Whether an admitted request waits for its start. */
export function queues(kind: RateKind): boolean {
  return RATE_KINDS[kind].queues;
}

/** The limit with another kind: its capacity goes where the kind has none. */
export function withKind(limit: LimitSetup, kind: RateKind): LimitSetup {
  const { rate, period, capacity = rate } = limit;
  return hasCapacity(kind) ? { kind, rate, period, capacity } : { kind, rate, period };
}

/** Formats a limit, such as `token bucket:10/min:20`. */
export function limitText({ kind, rate, period, capacity }: LimitSetup): string {
  const parts = [kind, rateText({ rate, period })];
  return [...parts, ...(capacity === undefined ? [] : [String(capacity)])].join(":");
}

/**
 * Parses what `limitText` formats.
 *
 * @throws Error that says what is wrong, and what was expected
 */
export function readLimitText(text: string): LimitSetup {
  const [name = "", rate = "", capacity] = text.split(":");
  const kind = KINDS.find((one) => one === name.trim().toLowerCase());
  if (kind === undefined) {
    throw new Error(`the kind ${JSON.stringify(name)} is unknown, expected ${KINDS.join(", ")}`);
  }
  const numbers = readRateText(rate);
  const held = capacity === undefined ? numbers.rate : Number(capacity);
  return checked(hasCapacity(kind) ? { kind, ...numbers, capacity: held } : { kind, ...numbers });
}

/** Parses a rate such as `10/min`. @throws Error that says what is wrong */
export function readRateText(text: string): { readonly rate: number; readonly period: number } {
  return readRate(text);
}

/** Returns a limit that the library accepts. @throws Error with the library's reason */
export function checked(limit: LimitSetup): LimitSetup {
  try {
    // A short period is a choice here, not a mistake.
    new RateLimiter({ requests: limit as Rate }, { warn: () => {} });
    return limit;
  } catch (error) {
    throw error instanceof SpillwayError ? new Error(error.message) : error;
  }
}
