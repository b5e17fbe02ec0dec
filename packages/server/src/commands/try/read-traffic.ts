import { CommandError } from "../../process/command-error.ts";
import { type Pace, periodIn } from "./read-rate.ts";
import { Words } from "./words.ts";

/** When requests arrive, in milliseconds from the start, in order; and how long all of it takes. */
export type Traffic = { readonly arrivals: readonly number[]; readonly duration: number };

/** Requests that can be played in well under a second. */
const MOST = 100_000;

const FORMS = '"30/min for 2m", "50 at once", "5/s for 10s, then 1/s for 1 min"';

/**
 * Reads traffic: phases of evenly spaced requests, or of requests at once. Pure.
 *
 * @throws CommandError `bad-traffic`, with the place and the nearest text that can be read
 */
export function readTraffic(text: string): Traffic {
  const words = new Words({ text, what: "traffic", forms: FORMS });
  const phases: Phase[] = [];
  do {
    phases.push(phaseIn(words));
    checkCount(text, phases);
    words.take(",");
    words.take("then");
  } while (!words.isAtEnd);
  return trafficOf(phases);
}

/** Requests of which each comes so long after the one before, and how long all of them take. */
type Phase = { readonly count: number; readonly distance: number; readonly duration: number };

/** Phases, one after the other. Pure. */
export function trafficOf(phases: readonly Phase[]): Traffic {
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

type Evenly = Pace & { readonly duration: number };

/** So many requests in each period, for some time. Pure. */
export function evenly({ rate, period, duration }: Evenly): Phase {
  return { count: Math.ceil((duration * rate) / period), distance: period / rate, duration };
}

/** Requests that come together. Pure. */
export function atOnce(count: number): Phase {
  return { count, distance: 0, duration: 0 };
}

/** A count `at once`, or a rate `for` some time. */
function phaseIn(words: Words): Phase {
  const rate = words.count();
  if (words.take("at")) {
    words.expect("once");
    return atOnce(rate);
  }
  const period = periodIn(words);
  words.expect("for");
  return evenly({ rate, period, duration: words.duration() });
}

function checkCount(text: string, phases: readonly Phase[]): void {
  const count = phases.reduce((sum, phase) => sum + phase.count, 0);
  if (count <= MOST) return;
  const found = `the traffic ${JSON.stringify(text)} has ${count} requests or more`;
  throw new CommandError("bad-traffic", `${found}, expected at most ${MOST}: shorten it`);
}
