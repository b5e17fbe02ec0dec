/** One second, in milliseconds. */
export const SECOND = 1000;
/** One minute, in milliseconds. */
export const MINUTE = 60 * SECOND;
/** One hour, in milliseconds. */
export const HOUR = 60 * MINUTE;
/** One day of 24 hours, in milliseconds. */
export const DAY = 24 * HOUR;
/** One week of seven days, in milliseconds. */
export const WEEK = 7 * DAY;

/** The longest period of a limit, and the longest block: 366 days, in milliseconds. */
export const LONGEST = 366 * DAY;

/**
 * A length of time: whole milliseconds, or text of a whole number and a unit.
 *
 * Units: `ms`, `s`, `m` (minutes), `h`, `d` (24 hours). `"90s"` and `90_000` are the same.
 */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

const UNITS = new Map([
  ["ms", 1],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
  ["d", DAY],
]);

/** Converts a duration from 1 ms to 366 days to milliseconds; undefined if it is invalid. Pure. */
export function milliseconds(duration: unknown): number | undefined {
  const ms = typeof duration === "string" ? parse(duration) : duration;
  return typeof ms === "number" && Number.isInteger(ms) && ms >= 1 && ms <= LONGEST
    ? ms
    : undefined;
}

function parse(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,15})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS.get(unit ?? "");
  return factor === undefined ? undefined : Number(digits) * factor;
}
