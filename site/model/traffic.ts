/** Traffic: when requests arrive. All functions are pure. */
import {
  type Phase,
  readPhases,
  trafficOf,
} from "../../packages/server/src/commands/try/read-traffic.ts";

/** The most requests that are played. */
export const MOST_REQUESTS = 50_000;

/** The latest instant of a request: a year. */
const LATEST = 366 * 86_400_000;

/** Arrivals in order, and the whole duration, in milliseconds from the beginning. */
export type Arrivals = { readonly arrivals: readonly number[]; readonly duration: number };

/** Parses traffic such as `20 at once, then 1/s for 30s`. @throws Error that says what is wrong */
export function readArrivals(text: string): Arrivals {
  const traffic = trafficOf(readTrafficPhases(text));
  if (traffic.arrivals.length > MOST_REQUESTS) {
    throw new Error(tooMany(traffic.arrivals.length));
  }
  return traffic;
}

/** Parses traffic as its phases. @throws Error that says what is wrong */
export function readTrafficPhases(text: string): readonly Phase[] {
  return readPhases(text);
}

/**
 * Parses timestamps: milliseconds or dates, one a line or separated by commas; the rest of a line is
 * ignored. The earliest becomes 0.
 *
 * @throws Error that names the first line that has none
 */
export function readTimes(text: string): readonly number[] {
  const entries = text.split(/[\n,;]+/).map((entry) => entry.trim());
  const times = entries.filter((entry) => entry !== "").map(instantOf);
  if (times.length === 0) throw new Error("no timestamps, expected one on each line");
  if (times.length > MOST_REQUESTS) throw new Error(tooMany(times.length));
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const shifted = times.map((time) => time - first).sort((a, b) => a - b);
  const last = shifted.at(-1) ?? 0;
  if (last > LATEST) throw new Error("the timestamps span more than a year, expected less");
  return shifted;
}

/** Seconds of this century are below it, milliseconds of this century above. */
const SECONDS_BELOW = 100_000_000_000;
const SECONDS_ABOVE = 900_000_000;

function instantOf(entry: string, index: number): number {
  const [word = ""] = /^[\d.]+(?=\s|$)|^\S+(?:\s+[\d:.]+Z?)?/.exec(entry) ?? [];
  const number = Number(word);
  const isSeconds = number > SECONDS_ABOVE && number < SECONDS_BELOW;
  const instant = Number.isFinite(number) ? number * (isSeconds ? 1000 : 1) : Date.parse(word);
  if (Number.isFinite(instant) && instant >= 0) return Math.round(instant);
  const found = `${JSON.stringify(entry.slice(0, 40))} at line ${index + 1} is no timestamp`;
  throw new Error(
    `${found}, expected milliseconds such as 1500, or a date such as 2026-01-01T00:00:01Z`,
  );
}

/** Arrivals at given times. */
export function arrivalsAt(times: readonly number[]): Arrivals {
  return { arrivals: times, duration: (times.at(-1) ?? 0) + 1 };
}

function tooMany(count: number): string {
  return `${count} requests, expected at most ${MOST_REQUESTS}: shorten the traffic`;
}
