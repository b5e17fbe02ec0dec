import {
  goodput,
  latency,
  type Recording,
  simulate,
  successRate,
  total,
} from "spillway/testing/simulation";
import type { Trial } from "./trial.ts";

const played = new Map<Trial["scenario"], Promise<Recording>>();

/** Plays a trial: once, for the same scenario comes out the same. */
export function play({ scenario }: Trial): Promise<Recording> {
  const known = played.get(scenario) ?? simulate(scenario);
  played.set(scenario, known);
  return known;
}

/** What comes of a trial, as a row of a table shows it. */
export async function figuresOf(trial: Trial) {
  const recording = await play(trial);
  const { from } = trial;
  return {
    /** Served in time, as a share of what there was room for. */
    goodput: goodput(recording, { from }) / meanOf(trial),
    critical: successRate(recording, { from, priority: "critical" }),
    health: successRate(recording, { from, route: "health" }),
    /** Milliseconds. */
    p99: latency(recording, { from, rank: 0.99 }),
    /** Refused, of all attempts. */
    shed: total(recording, { from }).shed / total(recording, { from }).offered,
  };
}

/** What there was room for, or what came, if that was less: requests a second. */
function meanOf({ capacity, from, scenario }: Trial): number {
  const rates: number[] = [];
  for (let at = from; at < scenario.duration; at += 1000) {
    const asked = scenario.traffic.reduce((sum, { rate }) => sum + rate.at(at), 0);
    rates.push(Math.min(capacity.at(at), asked));
  }
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
