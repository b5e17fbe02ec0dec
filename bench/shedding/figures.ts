/** What is reported of a trial. Pure. */
import { fits, type Moment, momentsOf, type Situation } from "./situation.ts";
import { type Ending, type Observation, type Second, sumOf } from "./tally.ts";

/** What was seen of a contender, and how much its server had room for. */
export type Seen = {
  readonly situation: Situation;
  readonly observation: Observation;
  /** Requests a second. */
  readonly room: number;
};

/** A number of a trial; NaN where the situation has none. */
export type Figure = {
  readonly name: string;
  readonly unit: string;
  of(seen: Seen): number;
};

/** Seconds after which critical work, and all that there is room for, should be served. */
const SETTLED = { critical: 3, goodput: 5 } as const;

export const FIGURES: readonly Figure[] = [
  { name: "goodput", unit: "of what fits", of: goodputFrom(0) },
  { name: "goodput from second 5", unit: "of what fits", of: goodputFrom(SETTLED.goodput) },
  { name: "critical", unit: "of those sent", of: criticalFrom(0) },
  { name: "critical from second 3", unit: "of those sent", of: criticalFrom(SETTLED.critical) },
  { name: "health", unit: "of those sent", of: health },
  { name: "refused though it fitted", unit: "of those sent", of: whileCalm("shed") },
  { name: "failed though it fitted", unit: "of those sent", of: whileCalm("failed") },
  { name: "p99", unit: "ms", of: ({ observation: { p99 } }) => round(p99, 1) },
  { name: "generator late", unit: "ms", of: ({ observation: { late } }) => round(late, 1) },
];

/** One second: what was to come in it, and what became of it. */
type Lived = Moment & { readonly second: Second };

function lived({ situation, observation: { seconds } }: Seen): readonly Lived[] {
  return momentsOf(situation).flatMap((moment, index) => {
    const second = seconds[index];
    return second === undefined ? [] : [{ ...moment, second }];
  });
}

/** Answers in time, held against what came where that fits, and against the room where not. */
function goodputFrom(start: number): (seen: Seen) => number {
  return (seen) => {
    const during = lived(seen).filter(({ part, at }) => at >= start && !part.isAfter);
    const served = sumOf(during.map(({ second }) => second)).served;
    const possible = during.reduce((sum, each) => sum + possibleIn(each, seen.room), 0);
    return round(served / possible, 3);
  };
}

function possibleIn({ part, second }: Lived, room: number): number {
  return fits(part) ? sumOf([second]).sent : room * (part.roomShare ?? 1);
}

function criticalFrom(start: number): (seen: Seen) => number {
  return (seen) => {
    const during = lived(seen).filter(({ part, at }) => at >= start && !part.isAfter);
    const { served, sent } = sumOf(
      during.map(({ second }) => second),
      ["critical"],
    );
    return round(served / sent, 4);
  };
}

function health({ observation: { seconds } }: Seen): number {
  const { served, sent } = sumOf(seconds, ["health"]);
  return round(served / sent, 4);
}

/** Where there was room for everything, and no overload within the last seconds. */
function whileCalm(ending: Ending): (seen: Seen) => number {
  return (seen) => {
    const calm = lived(seen).filter(({ isCalm }) => isCalm);
    const counts = sumOf(calm.map(({ second }) => second));
    return round(counts[ending] / counts.sent, 4);
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Milliseconds by which a healthy generator may be late. */
const LATEST = 20;

/** Second by second, in percent: what was served of what fits, and of the critical requests. */
export function describe(seen: Seen): string {
  const { late, unsent } = seen.observation;
  const moments = lived(seen);
  const goodput = moments.map((each) => sumOf([each.second]).served / possibleIn(each, seen.room));
  const critical = moments.map(({ second: { critical } }) => critical.served / critical.sent);
  const shed = moments.map(({ second }) => sumOf([second]).shed / sumOf([second]).sent);
  return [
    `  goodput  ${percents(goodput)}`,
    `  critical ${percents(critical)}`,
    `  refused  ${percents(shed)}`,
    ...(unsent > 0 ? [`  ${unsent} requests found every connection taken`] : []),
    ...(late > LATEST ? [`  VOID: the load generator was late by ${round(late, 1)} ms`] : []),
  ].join("\n");
}

function percents(values: readonly number[]): string {
  return values.map((value) => String(Math.round(value * 100)).padStart(4)).join("");
}
