/** Describes a limit to HTTP clients as a policy. */
import { greatestDivisor } from "../../limits/algorithms/index.ts";
import {
  isConcurrency,
  type Limit,
  MINUTE,
  milliseconds,
  SECOND,
} from "../../limits/core/index.ts";

/** A limit as clients see it: a quota policy in draft-ietf-httpapi-ratelimit-headers. */
export type Policy = {
  /** The limit's name, in printable ASCII. */
  readonly name: string;
  /** Units per window; for a concurrency limit, units in flight. */
  readonly quota: number;
  /** The window in whole seconds; undefined for a concurrency limit. */
  readonly window: number | undefined;
  readonly isConcurrency: boolean;
  /** The policy as an item of `RateLimit-Policy`, to which a partition key can be appended. */
  readonly item: string;
};

/**
 * The longest reported window that joins several, in milliseconds.
 *
 * Several windows are joined into one if a window is not a whole number of seconds.
 */
const LONGEST_TOLD = MINUTE;

/** Returns the policy of a limit. Pure. */
export function policyOf(name: string, limit: Limit): Policy {
  const known = policyName(name);
  if (isConcurrency(limit)) {
    const quota = limit.capacity;
    const item = `"${known}";q=${quota};qu="concurrent-requests"`;
    return { name: known, quota, window: undefined, isConcurrency: true, item };
  }
  const period = milliseconds(limit.period) ?? SECOND;
  const { quota, window } = wholeSeconds({ rate: limit.rate, period });
  const item = `"${known}";q=${quota};w=${window}`;
  return { name: known, quota, window, isConcurrency: false, item };
}

/**
 * Converts a rate to a whole number of seconds. It never exceeds what the limit gives back in that
 * time.
 */
function wholeSeconds({ rate, period }: { readonly rate: number; readonly period: number }) {
  const times = SECOND / greatestDivisor(period, SECOND);
  const seconds = (times * period) / SECOND;
  if (times === 1 || seconds * SECOND <= LONGEST_TOLD) {
    return { quota: rate * times, window: seconds };
  }
  return { quota: rate, window: Math.ceil(period / SECOND) };
}

/**
 * Characters that a string of a structured field may not contain, and `%`, which marks encoded
 * ones.
 */
const ESCAPED = /[^\x20-\x7e]|["\\%]/gu;

/**
 * Returns a limit's name for headers: printable ASCII, with everything else percent-encoded. Pure.
 *
 * So no name can break out of a header, and no two names become one.
 */
export function policyName(name: string): string {
  return name.toWellFormed().replace(ESCAPED, encodeCharacter);
}

function encodeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code > 0x7f) return encodeURIComponent(character);
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
