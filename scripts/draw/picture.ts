/** A whole picture: the title, the asks, the curve, the time. */
import { type Limit, SECOND } from "spillway";
import { admittedOf, drawAsks, drawPhases, drawStarts, mark } from "./asks.ts";
import { type Curve, drawCurve } from "./curve.ts";
import { across, type Layout, layoutFor, WIDTH } from "./layout.ts";
import { LENGTH, PACE, PATTERN } from "./pattern.ts";
import { type Run, run } from "./run.ts";
import { STYLE } from "./style.ts";
import { element, escaped, text } from "./svg.ts";

/** What a picture is of, and the one line below its title. */
export type Subject = {
  readonly title: string;
  readonly line: string;
  readonly limit: Limit;
  /** Whether time is cut into windows. */
  readonly windows?: boolean;
  /** Whether admitted work may start later. */
  readonly delayed?: boolean;
};

/** Draws a subject. Pure: the same text every time. */
export function draw(subject: Subject): string {
  const { delayed = false } = subject;
  const shown = run(subject.limit);
  const layout = layoutFor({ delayed });
  const content = [
    element("title", { id: "title" }, escaped(subject.title)),
    element("desc", { id: "desc" }, escaped(describe(subject, shown))),
    element("style", {}, STYLE),
    element("rect", {
      class: "ground",
      x: 0.5,
      y: 0.5,
      width: WIDTH - 1,
      height: layout.height - 1,
      rx: 10,
    }),
    ...drawHead(subject),
    ...drawTime(subject, layout),
    ...drawLanes(layout),
    ...drawPhases(shown, layout),
    ...drawCurve(shown, curveOf(delayed), layout),
    ...drawStarts(shown, layout),
    ...drawAsks(shown, layout),
  ];
  return `${frame(layout, content)}\n`;
}

function frame({ height }: Layout, content: readonly string[]): string {
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${WIDTH} ${height}`,
    width: WIDTH,
    height,
    role: "img",
    "aria-labelledby": "title desc",
  };
  return element("svg", attributes, "", ...content, "");
}

function curveOf(delayed: boolean): Curve {
  const capacity = PACE.rate;
  return delayed
    ? { name: "in queue", capacity, units: (remaining) => capacity - remaining }
    : { name: "remaining", capacity, units: (remaining) => remaining };
}

function drawHead({ title, line }: Subject): string[] {
  return [
    text({ class: "title", x: 24, y: 34 }, title),
    text({ x: 24, y: 54 }, line),
    mark(true, { x: 592, y: 30 }),
    text({ x: 602, y: 34 }, "admitted"),
    mark(false, { x: 672, y: 30 }),
    text({ x: 682, y: 34 }, "refused"),
  ];
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
  const lanes = [base(asks + 8), base(bottom), name(asks, "asks")];
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
