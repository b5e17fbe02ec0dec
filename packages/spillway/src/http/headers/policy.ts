/** What a limit is called, and says of itself, over HTTP: a policy. */
import { greatestDivisor } from "../../limits/algorithms/index.ts";
import {
  isConcurrency,
  type Limit,
  MINUTE,
  milliseconds,
  SECOND,
} from "../../limits/core/index.ts";

/** What clients receive of a limit; a quota policy in draft-ietf-httpapi-ratelimit-headers. */
export type Policy = {
  /** The limit's name, in printable ASCII. */
  readonly name: string;
  /** Units in a window; for a concurrency limit, units in flight. */
  readonly quota: number;
  /** Whole seconds; undefined for a concurrency limit. */
  readonly window: number | undefined;
  readonly isConcurrency: boolean;
  /** The same as an item of `RateLimit-Policy`, to which a partition key can be added. */
  readonly item: string;
};

/** Windows that are no whole number of seconds are given as several in one, up to a minute. */
const LONGEST_TOLD = MINUTE;

/** The policy of a limit, for clients. Pure. */
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

/** A rate for a whole number of seconds: never more than the limit gives back in that time. */
function wholeSeconds({ rate, period }: { readonly rate: number; readonly period: number }) {
  const times = SECOND / greatestDivisor(period, SECOND);
  const seconds = (times * period) / SECOND;
  if (times === 1 || seconds * SECOND <= LONGEST_TOLD) {
    return { quota: rate * times, window: seconds };
  }
  return { quota: rate, window: Math.ceil(period / SECOND) };
}

/** What a name may not have in a structured field's string, or would be mistaken for. */
const ESCAPED = /[^\x20-\x7e]|["\\%]/gu;

/**
 * A limit's name as a header may carry it: printable ASCII, with all else percent-encoded, so that
 * no name breaks out of a header and no two become one. Pure.
 */
export function policyName(name: string): string {
  return name.toWellFormed().replace(ESCAPED, encodeCharacter);
}

function encodeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code > 0x7f) return encodeURIComponent(character);
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
