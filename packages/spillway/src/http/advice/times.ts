/**
 * Parses times as servers write them: seconds, instants in seconds or milliseconds, durations,
 * dates.
 */
import { DAY, HOUR, LONGEST, MINUTE, SECOND } from "../../limits/core/index.ts";

const NUMBERS = /^\d+(?:\.\d*)?(?:\s*,\s*\d+(?:\.\d*)?)*$/;

/** The longest text of a time, in characters. */
const LONGEST_TEXT = 64;

/** Trims a text that may be a time. Returns "" for a text that is too long to be one. Pure. */
export function timeText(text: string | undefined): string {
  const trimmed = text?.trim() ?? "";
  return trimmed.length > LONGEST_TEXT ? "" : trimmed;
}

/** A wait, and by how much it may be too long, in milliseconds. */
export type ApproximateWait = { readonly ms: number; readonly resolution: number };

/** Numbers from this one are seconds since 1970. As waits they would be longer than 31 years. */
const FIRST_EPOCH = 1e9;
/** Numbers from this one are milliseconds since 1970. */
const FIRST_EPOCH_MS = 1e12;

/**
 * Parses a time as a wait from the response on; undefined if it is not a time. Pure; never throws.
 *
 * Reads `30`, `1.5`, `1767225600` and `1767225600000` (since 1970), `6m0s`, `20ms`, ISO and HTTP
 * dates. Of several numbers, which occur if a proxy has added its own header, the longest wait
 * counts. Past instants give 0; the maximum is 366 days.
 *
 * @param now When the server answered, in milliseconds since 1970: by its own `Date`, if it sends
 * one.
 */
export function waitOf(text: string, now: number): ApproximateWait | undefined {
  const trimmed = timeText(text);
  if (NUMBERS.test(trimmed)) {
    return longestOf(trimmed.split(",").map((number) => waitOfNumber(Number(number), now)));
  }
  const duration = durationOf(trimmed);
  if (duration !== undefined) return { ms: bounded(duration), resolution: 1 };
  const instant = instantOf(trimmed);
  return instant === undefined ? undefined : { ms: bounded(instant - now), resolution: SECOND };
}

/**
 * Parses `Retry-After`, whose numbers are seconds.
 *
 * Some servers send an instant. A number counts as an instant only if that is within 366 days of
 * the response. So `1000000000` is read as a wait, which is cut to the maximum, and not as an
 * instant in 2001.
 */
export function retryAfterIn(text: string, now: number): ApproximateWait | undefined {
  const trimmed = timeText(text);
  if (!NUMBERS.test(trimmed)) return waitOf(trimmed, now);
  const waits = trimmed.split(",").map((number) => {
    const seconds = Number(number);
    const instant = seconds >= FIRST_EPOCH_MS ? seconds : seconds * SECOND;
    if (Math.abs(instant - now) <= LONGEST) return waitOfNumber(seconds, now);
    return { ms: bounded(seconds * SECOND), resolution: SECOND };
  });
  return longestOf(waits);
}

function longestOf(waits: readonly ApproximateWait[]): ApproximateWait {
  return waits.reduce((longest, wait) => (wait.ms > longest.ms ? wait : longest));
}

/** Instants are compared with a `Date` in whole seconds, so either may differ by a second. */
function waitOfNumber(value: number, now: number): ApproximateWait {
  if (value >= FIRST_EPOCH_MS) return { ms: bounded(value - now), resolution: SECOND };
  if (value >= FIRST_EPOCH) return { ms: bounded(value * SECOND - now), resolution: SECOND };
  return { ms: bounded(value * SECOND), resolution: Number.isInteger(value) ? SECOND : 1 };
}

/** Returns a whole number of milliseconds, rounded up, from 0 to 366 days. Pure. */
export function bounded(ms: number): number {
  return Math.min(LONGEST, Math.max(0, Math.ceil(ms)));
}

const PART = String.raw`(\d+(?:\.\d+)?)`;
const DURATION = new RegExp(`^(?:${PART}d)?(?:${PART}h)?(?:${PART}m)?(?:${PART}s)?(?:${PART}ms)?$`);
const UNITS = [DAY, HOUR, MINUTE, SECOND, 1];

/** Parses `1d2h3m4.5s6ms`, or a part of it, as milliseconds. */
function durationOf(text: string): number | undefined {
  const parts = DURATION.exec(text)?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined;
  return parts.reduce((sum, part, unit) => sum + Number(part ?? 0) * (UNITS[unit] as number), 0);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
/** `Sun, 06 Nov 1994 08:49:37 GMT`, also with a two-digit year and hyphens (RFC 9110, 5.6.7). */
const HTTP = /^[a-z]{3,9}, (\d\d)[ -]([a-z]{3})[ -](\d{2}|\d{4}) (\d\d):(\d\d):(\d\d) GMT$/i;
const ASCTIME = /^[a-z]{3} ([a-z]{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/i;

/** Parses a date as milliseconds since 1970; undefined if the text is not one. Pure. */
export function instantOf(said: string | undefined): number | undefined {
  const text = timeText(said);
  if (ISO.test(text)) return finite(Date.parse(text));
  const http = HTTP.exec(text);
  if (http !== null) {
    const [, day, month, year, ...time] = http;
    return utc({ day, month, year, time });
  }
  const [whole, month, day, ...rest] = ASCTIME.exec(text) ?? [];
  const year = rest.pop();
  return whole === undefined ? undefined : utc({ day, month, year, time: rest });
}

type DateParts = {
  readonly [part in "day" | "month" | "year"]: string | undefined;
} & { readonly time: readonly string[] };

function utc({ day, month = "", year = "", time }: DateParts): number | undefined {
  const index = MONTHS.indexOf(month.toLowerCase());
  if (index < 0) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  // A two-digit year belongs to this century, because no response was sent in an earlier one.
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  return finite(Date.UTC(fullYear, index, Number(day), hours, minutes, seconds));
}

function finite(instant: number): number | undefined {
  return Number.isFinite(instant) ? instant : undefined;
}
