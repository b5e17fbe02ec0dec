import { DAY, HOUR, MINUTE, SECOND, WEEK } from "spillway";

type Unit = {
  readonly ms: number;
  /** The accepted names. Durations are written with the first. */
  readonly names: readonly string[];
  /** The constant of the library, for programs. */
  readonly constant?: string;
  /** The name in the picture; undefined if the picture does not use the unit. */
  readonly shown?: string;
};

/** Units of time, the longest first. */
export const UNITS: readonly Unit[] = [
  { ms: WEEK, names: ["w", "week", "weeks"] },
  { ms: DAY, names: ["d", "day", "days"], constant: "DAY", shown: "d" },
  { ms: HOUR, names: ["h", "hr", "hrs", "hour", "hours"], constant: "HOUR", shown: "h" },
  {
    ms: MINUTE,
    names: ["m", "min", "mins", "minute", "minutes"],
    constant: "MINUTE",
    shown: "min",
  },
  { ms: SECOND, names: ["s", "sec", "secs", "second", "seconds"], constant: "SECOND", shown: "s" },
  { ms: 1, names: ["ms", "millisecond", "milliseconds"], shown: "ms" },
];

/** Formats a whole number of milliseconds without loss, such as `1500ms`, `30s` or `5m`. */
export function durationText(length: number): string {
  const { ms, names } = UNITS.find((unit) => length % unit.ms === 0) ?? { ms: 1, names: ["ms"] };
  return `${length / ms}${names[0]}`;
}
