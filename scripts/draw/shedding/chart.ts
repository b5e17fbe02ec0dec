import { PRIORITIES, type Priority } from "spillway/shedding";
import { latency, type Recording, total } from "spillway/testing/simulation";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Trial } from "./trial.ts";

/** What is drawn of one bucket, by the names that the picture shows. */
type Point = { readonly second: number; readonly [name: string]: number | undefined };

const WIDTH = 700;

/** Each colour stands for one thing. */
const COLOURS = {
  came: "#c3ccd4",
  "served in time": "#0b7285",
  "room for": "#1c2730",
  "share not served": "#d9480f",
  median: "#9775fa",
  p99: "#5f3dc4",
};

type Name = keyof typeof COLOURS;

/** A recording as a picture: what came and was served, who was not served, how long it took. */
export async function chart(trial: Trial, recording: Recording): Promise<string> {
  const { vgSpec } = compileQuietly(specOf(trial, recording));
  const view = new View(parse(vgSpec), { renderer: "none" });
  return titled(await view.toSVG(), trial);
}

function specOf(trial: Trial, recording: Recording): TopLevelSpec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title: { text: trial.title, subtitle: wrapped(trial.about), anchor: "start", fontSize: 17 },
    background: "#fbfcfd",
    padding: 16,
    config: { font: "system-ui, sans-serif", view: { stroke: "#d9e0e6" } },
    vconcat: [
      panel({ height: 150, title: "requests a second" }, load(trial, recording), {
        came: { type: "area" },
        "served in time": { type: "line", strokeWidth: 1.8 },
        "room for": { type: "line", strokeWidth: 1.2, strokeDash: [5, 3] },
      }),
      ...PRIORITIES.map((priority) =>
        panel(
          { height: 30, title: priority, isShare: true },
          unserved(trial, recording, priority),
          {
            "share not served": { type: "area", opacity: 0.75 },
          },
        ),
      ),
      panel({ height: 110, title: "latency, ms" }, latencies(trial, recording), {
        p99: { type: "line", strokeWidth: 1.6 },
        median: { type: "line", strokeWidth: 1.6 },
      }),
    ],
    spacing: 14,
    resolve: { scale: { color: "independent" } },
  };
}

type Mark = {
  readonly type: "area" | "line";
  readonly strokeWidth?: number;
  readonly strokeDash?: number[];
  readonly opacity?: number;
};

type Panel = {
  readonly height: number;
  readonly title: string;
  /** Whether it shows a share, from none to all, as one of several beneath each other. */
  readonly isShare?: boolean;
};

/** Text in lines that are not wider than a picture. */
function wrapped(text: string): string[] {
  return text.match(/.{1,120}(?:\s|$)/g) ?? [text];
}

/** One of the parts of a picture, with what it shows over time, the first at the back. */
function panel(
  { height, title, isShare = false }: Panel,
  values: readonly Point[],
  marks: { readonly [N in Name]?: Mark },
) {
  const names = Object.keys(marks) as Name[];
  const range = names.map((name) => COLOURS[name]);
  const color = { title: null, scale: { domain: names, range } };
  const layers = names.map((name) => ({
    mark: { type: "line" as const, ...marks[name], clip: true },
    encoding: {
      x: { field: "second", type: "quantitative" as const, ...xAxis(isShare) },
      y: { field: name, type: "quantitative" as const, title, ...(isShare ? SHARE : {}) },
      color: { datum: name, ...color },
    },
  }));
  return { width: WIDTH, height, data: { values: [...values] }, layer: layers };
}

/** A share, from none to all of it, with its title beside it. */
const SHARE = {
  scale: { domain: [0, 1] },
  axis: {
    values: [0, 1],
    format: ".0%",
    titleAngle: 0,
    titleAlign: "right" as const,
    titleX: -40,
  },
};

function xAxis(isShare: boolean) {
  if (isShare) return { axis: { grid: false, labels: false, title: null } };
  return { axis: { grid: false, title: "seconds" } };
}

function load(trial: Trial, recording: Recording): Point[] {
  const perSecond = 1000 / recording.width;
  return pointsOf(trial, recording, (from, second) => {
    const { offered, served } = total(recording, { from, to: from + recording.width });
    return {
      second,
      came: offered * perSecond,
      "served in time": served * perSecond,
      "room for": trial.capacity.at(from),
    };
  });
}

function unserved(trial: Trial, recording: Recording, priority: Priority): Point[] {
  return pointsOf(trial, recording, (from, second) => {
    const { offered, served } = total(recording, { from, to: from + recording.width, priority });
    return { second, "share not served": offered === 0 ? 0 : hundredth(1 - served / offered) };
  });
}

function latencies(trial: Trial, recording: Recording): Point[] {
  return pointsOf(trial, recording, (from, second) => {
    const quantile = (rank: number) =>
      tenth(latency(recording, { from, to: from + recording.width, rank }));
    return { second, median: quantile(0.5), p99: quantile(0.99) };
  });
}

function tenth(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 10) / 10;
}

function hundredth(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The points of each bucket that is shown, with seconds counted from the first of them. */
function pointsOf(
  { shown = 0 }: Trial,
  { buckets, duration, width }: Recording,
  pointAt: (from: number, second: number) => Point,
): Point[] {
  return buckets
    .filter(({ start }) => start >= shown && start + width <= duration)
    .map(({ start }) => pointAt(start, (start - shown) / 1000));
}

/** Words for each part of a line are no help to whoever can't see it: the picture has its own. */
const PARTS = / (?:role|aria-[a-z]+)="[^"]*"/g;

/** With words for those who cannot see it. */
function titled(svg: string, { title, about }: Trial): string {
  const words = `<title id="title">${title}</title>\n<desc id="desc">${about}</desc>`;
  const [start = "", ...rest] = svg.replaceAll(PARTS, "").split(">");
  const open = start.replace("<svg ", '<svg role="img" aria-labelledby="title desc" ');
  return `${open}>\n${words}\n${rest.join(">")}\n`;
}

/** Vega-Lite says on the console what it leaves out; there is nobody to read it. */
function compileQuietly(spec: TopLevelSpec) {
  const quiet = { level: () => quiet, error: fail, warn: () => quiet, info: () => quiet };
  const { spec: vgSpec } = compile(spec, {
    logger: { ...quiet, debug: () => quiet } as never,
  });
  return { vgSpec };
}

function fail(...messages: readonly unknown[]): never {
  throw new Error(messages.join(" "));
}
