/** The pictures of `docs/algorithms`: one a kind. */
import { drawLeases } from "./leases/picture.ts";
import { PACE } from "./pattern.ts";
import { draw, type Subject } from "./picture.ts";

const SUBJECTS: { readonly [file: string]: Subject } = {
  "token-bucket.svg": {
    title: "Token bucket",
    line: "5 units in 10 s, a unit back every 2 s: bursts up to the capacity, then the rate",
    limit: { kind: "token bucket", ...PACE },
  },
  "fixed-window.svg": {
    title: "Fixed window",
    line: "5 units in 10 s, all back when a window ends: two bursts can meet there",
    limit: { kind: "fixed window", ...PACE, start: 0 },
    windows: true,
  },
  "sliding-window.svg": {
    title: "Sliding window",
    line: "5 units in 10 s, the last window's units fade: bursts cannot meet at its end",
    limit: { kind: "sliding window", ...PACE, start: 0 },
    windows: true,
  },
  "sliding-log.svg": {
    title: "Sliding log",
    line: "5 units in 10 s, each back 10 s after it was taken: exact in every span",
    limit: { kind: "sliding log", ...PACE },
  },
  "leaky-bucket.svg": {
    title: "Leaky bucket",
    line: "5 units in 10 s, a start every 2 s at most: bursts wait in a queue of 5",
    limit: { kind: "leaky bucket", ...PACE },
    delayed: true,
  },
};

/** Every picture's file name and text. */
export function pictures(): ReadonlyMap<string, string> {
  const ofRates = Object.entries(SUBJECTS).map(([file, subject]) => [file, draw(subject)] as const);
  return new Map([...ofRates, ["concurrency.svg", drawLeases()]]);
}
