/** A whole picture: the title, the asks, the curve, the time. */
import { type Limit, SECOND } from "spillway";
import { admittedOf, drawAsks, drawPhases, drawStarts } from "./asks.ts";
import { type Curve, drawCurve } from "./curve.ts";
import { drawFrame, drawTitle, type Head } from "./frame.ts";
import { across, type Layout, layoutFor } from "./layout.ts";
import { LENGTH, PACE, PATTERN } from "./pattern.ts";
import { type Run, run } from "./run.ts";
import { element, text } from "./svg.ts";

/** What a picture is of, and the one line below its title. */
export type Subject = Head & {
  readonly limit: Limit;
  /** Whether time is cut into windows. */
  readonly windows?: boolean;
  /** Whether admitted work may start later. */
  readonly delayed?: boolean;
};

/** Draws a subject. Pure: the same text every time. */
export function draw(subject: Subject): string {
  const { title, line, delayed = false } = subject;
  const shown = run(subject.limit);
  const layout = layoutFor({ delayed });
  return drawFrame({ title, line, about: describe(subject, shown), height: layout.height }, [
    ...drawTitle(subject),
    ...drawTime(subject, layout),
    ...drawLanes(layout),
    ...drawPhases(shown, layout),
    ...drawCurve(shown, curveOf(delayed), layout),
    ...drawStarts(shown, layout),
    ...drawAsks(shown, layout),
  ]);
}

function curveOf(delayed: boolean): Curve {
  const capacity = PACE.rate;
  return delayed
    ? { name: "in queue", capacity, units: (remaining) => capacity - remaining }
    : { name: "remaining", capacity, units: (remaining) => remaining };
}

/** The seconds, and where windows end. */
function drawTime({ windows = false }: Subject, { asks, top, bottom }: Layout): string[] {
  const tens = Array.from({ length: LENGTH / PACE.period + 1 }, (_, n) => n * PACE.period);
  const upright = (at: number, y1: number, kind: string) =>
    element("path", { class: kind, d: `M${across(at)} ${y1}V${bottom}` });
  const labels = tens.map((at) =>
    text({ class: "middle", x: across(at), y: bottom + 22 }, `${at / SECOND} s`),
  );
  if (!windows) return [...tens.map((at) => upright(at, top, "grid")), ...labels];
  return [...tens.map((at) => upright(at, asks - 92, "window")), ...labels];
}

function drawLanes({ asks, starts, bottom }: Layout): string[] {
  const base = (y: number) =>
    element("path", { class: "base", d: `M${across(0)} ${y}H${across(LENGTH)}` });
  const name = (y: number, word: string) =>
    text({ class: "end", x: across(0) - 10, y: y + 4 }, word);
  const lanes = [base(asks + 8), base(bottom), name(asks, "calls")];
  return starts === undefined ? lanes : [...lanes, base(starts + 8), name(starts, "starts")];
}

/** What a picture shows, for those who cannot see it. */
function describe({ title, line }: Subject, { asks }: Run): string {
  const parts = PATTERN.map(({ name }) => {
    const own = asks.filter(({ phase }) => phase === name);
    return own.length === 0 ? undefined : `${name}, ${admittedOf(own)}`;
  });
  const shown = parts.filter((part) => part !== undefined).join("; ");
  return `${title}: ${line}. ${admittedOf(asks)} in ${LENGTH / SECOND} seconds: ${shown}.`;
}
