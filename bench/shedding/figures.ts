/** What is told of a load, and how it is called. Pure. */
import { PRIORITIES } from "spillway/shedding";
import { type Observation, totalOf } from "./tally.ts";

/** A number of an observation; `capacity` is in requests a second. */
type Figure = {
  readonly name: string;
  readonly unit: string;
  of(seen: Observation, capacity: number): number;
};

export const FIGURES: readonly Figure[] = [
  { name: "goodput", unit: "of capacity", of: goodput },
  { name: "critical served", unit: "of those sent", of: criticalServed },
  { name: "p99", unit: "ms", of: ({ p99 }) => round(p99, 1) },
  { name: "shed", unit: "of those sent", of: shed },
  { name: "generator late", unit: "ms", of: ({ late }) => round(late, 1) },
];

/** Answers that came in time, held against all that the server could have given. */
function goodput(seen: Observation, capacity: number): number {
  return round((totalOf(seen).served / seen.span) * (1000 / capacity), 3);
}

function criticalServed({ counts: { critical } }: Observation): number {
  return round(critical.served / critical.sent, 4);
}

function shed(seen: Observation): number {
  const { shed, sent } = totalOf(seen);
  return round(shed / sent, 3);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Milliseconds by which a healthy generator may be late. */
const LATEST = 20;

/** All figures in a line, what was served of each priority, and whether they can be trusted. */
export function describe(seen: Observation, capacity: number): string {
  const figures = FIGURES.map(({ name, of }) => `${name} ${of(seen, capacity)}`).join(", ");
  const served = PRIORITIES.map((each) => {
    const { served, sent } = seen.counts[each];
    return `${each} ${round(served / sent, 3)}`;
  });
  return `${figures}; served: ${served.join(", ")}${warning(seen)}`;
}

function warning({ late, unsent }: Observation): string {
  if (late > LATEST) return `\n  VOID: the load generator itself was late by ${round(late, 1)} ms`;
  return unsent > 0 ? `\n  VOID: ${unsent} requests found every connection taken` : "";
}
