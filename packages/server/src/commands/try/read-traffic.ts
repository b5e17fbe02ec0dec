import { CommandError } from "../command-error.ts";
import { periodIn } from "./read-rate.ts";
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
  const arrivals: number[] = [];
  let duration = 0;
  do {
    const phase = phaseIn(words);
    checkCount(text, arrivals.length + phase.count);
    for (let index = 0; index < phase.count; index++)
      arrivals.push(duration + Math.floor(index * phase.distance));
    duration += phase.duration;
    words.take(",");
    words.take("then");
  } while (!words.isAtEnd);
  return { arrivals, duration };
}

type Phase = { readonly count: number; readonly distance: number; readonly duration: number };

/** A count `at once`, or a rate `for` some time. */
function phaseIn(words: Words): Phase {
  const rate = words.count();
  if (words.take("at")) {
    words.expect("once");
    return { count: rate, distance: 0, duration: 0 };
  }
  const period = periodIn(words);
  words.expect("for");
  const duration = words.duration();
  return { count: Math.ceil((duration * rate) / period), distance: period / rate, duration };
}

function checkCount(text: string, count: number): void {
  if (count <= MOST) return;
  const found = `the traffic ${JSON.stringify(text)} has ${count} requests or more`;
  throw new CommandError("bad-traffic", `${found}, expected at most ${MOST}: shorten it`);
}
