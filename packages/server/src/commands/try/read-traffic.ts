import { CommandError } from "../../process/command-error.ts";
import { periodIn, type RatePerPeriod } from "./read-rate.ts";
import { durationText } from "./units.ts";
import { WordReader } from "./words.ts";

/**
 * The arrival times of requests in order, and the total duration, in milliseconds from the start.
 */
export type ArrivalTimes = { readonly arrivals: readonly number[]; readonly duration: number };

/** The maximum number of requests, which are simulated in well under a second. */
const MOST = 100_000;

const FORMS =
  '"30/min for 2m", "20 in 2s", "50 at once", "5 at once every 10s for 1m", ' +
  '"5/s for 10s, then 1/s for 1 min"';

/** Words after a count. All others are refused: 1500 tokens are not 1500 requests. */
const NOUNS = ["request", "requests", "call", "calls", "click", "clicks"];

/**
 * Parses traffic: phases of evenly spaced or simultaneous requests. Pure.
 *
 * @throws CommandError `bad-traffic`, with the place and the nearest valid text
 */
export function readTraffic(text: string): ArrivalTimes {
  return trafficOf(readPhases(text));
}

/** Parses traffic as its phases, as `readTraffic` does. */
export function readPhases(text: string): readonly Phase[] {
  const words = new WordReader({ text, what: "traffic", forms: FORMS });
  const phases: Phase[] = [];
  do {
    phases.push(...phasesIn(words));
    checkCount(text, phases);
    words.take(",");
    words.take("then");
  } while (!words.isAtEnd);
  return phases;
}

/** A number of requests, the distance between two, and the duration of all, in milliseconds. */
export type Phase = {
  readonly count: number;
  readonly distance: number;
  readonly duration: number;
};

/** Builds traffic from phases in sequence. Pure. */
export function trafficOf(phases: readonly Phase[]): ArrivalTimes {
  const arrivals: number[] = [];
  let start = 0;
  for (const { count, distance, duration } of phases) {
    for (let index = 0; index < count; index++) {
      arrivals.push(start + Math.floor(index * distance));
    }
    start += duration;
  }
  return { arrivals, duration: start };
}

type EvenTraffic = RatePerPeriod & { readonly duration: number };

/** Builds a phase with a fixed number of requests in each period. Pure. */
export function evenly({ rate, period, duration }: EvenTraffic): Phase {
  return { count: Math.ceil((duration * rate) / period), distance: period / rate, duration };
}

/** Builds a phase of simultaneous requests. Pure. */
export function atOnce(count: number): Phase {
  return { count, distance: 0, duration: 0 };
}

/** Parses a count `at once`, perhaps repeated, or `in` some time, or a rate `for` some time. */
function phasesIn(words: WordReader): readonly Phase[] {
  const count = words.count();
  words.take(...NOUNS);
  if (words.take("at")) {
    words.expect("once");
    return words.take("every") ? repeated(count, words) : [atOnce(count)];
  }
  if (words.take("in")) {
    const duration = words.duration();
    return [{ count, distance: duration / count, duration }];
  }
  const period = periodIn(words, ["in", "at"]);
  words.expectFor({
    such: durationText(10 * period),
    otherwise: `${JSON.stringify(`${count} in ${durationText(period)}`)} if there are no more`,
  });
  return [evenly({ rate: count, period, duration: words.duration() })];
}

/** Parses how often a burst repeats, after `every`. */
function repeated(count: number, words: WordReader): readonly Phase[] {
  const distance = words.duration();
  words.expect("for");
  const duration = words.duration();
  const bursts = Math.ceil(duration / distance);
  // Refused as it is, without a list of that length.
  if (bursts * count > MOST) return [atOnce(bursts * count)];
  const pause = { count: 0, distance: 0, duration: distance };
  return Array.from({ length: bursts }, () => [atOnce(count), pause]).flat();
}

function checkCount(text: string, phases: readonly Phase[]): void {
  const count = phases.reduce((sum, phase) => sum + phase.count, 0);
  if (count <= MOST) return;
  const found = `the traffic ${JSON.stringify(text)} has ${count} requests or more`;
  throw new CommandError("bad-traffic", `${found}, expected at most ${MOST}: shorten it`);
}
