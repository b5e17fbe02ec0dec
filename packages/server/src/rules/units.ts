import { DAY, HOUR, MINUTE, SECOND, WEEK } from "spillway";

/** The units of rule files in milliseconds. A month has 30 days, a year 365. */
export const UNITS: ReadonlyMap<string, number> = new Map([
  ["second", SECOND],
  ["minute", MINUTE],
  ["hour", HOUR],
  ["day", DAY],
  ["week", WEEK],
  ["month", 30 * DAY],
  ["year", 365 * DAY],
]);

/** Returns the unit of this length; undefined if there is none. Pure. */
export function unitLasting(ms: number): string | undefined {
  return [...UNITS.keys()].find((unit) => UNITS.get(unit) === ms);
}

/** Returns the milliseconds of a unit, in any case; undefined if there is no such unit. Pure. */
export function unitNamed(name: string): number | undefined {
  return UNITS.get(name.toLowerCase());
}
