import { PRIORITIES, type Priority } from "spillway/shedding";
import { latency, type Recording, total } from "spillway/testing/simulation";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Trial } from "./scenarios.ts";

/** One point of a line. */
type Point = { readonly second: number; readonly value: number; readonly line: string };

const COLOURS = ["#0b7285", "#37b24d", "#f59f00", "#c2410c"];
const WIDTH = 760;

/** A recording as a picture: what came and was served, what was refused of each priority, how long it took. */
export async function chart(trial: Trial, recording: Recording): Promise<string> {
  const { vgSpec } = compileQuietly(specOf(trial, recording));
  const view = new View(parse(vgSpec), { renderer: "none" });
  return titled(await view.toSVG(), trial);
}

function specOf(trial: Trial, recording: Recording): TopLevelSpec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title: { text: trial.title, subtitle: trial.about, anchor: "start", fontSize: 17 },
    background: "#fbfcfd",
    padding: 16,
    config: { font: "system-ui, sans-serif", view: { stroke: "#d9e0e6" } },
    vconcat: [
      panel("requests a second", 150, load(trial, recording), ["#5b6b78", "#0b7285", "#d9a400"]),
      panel("share refused", 110, refused(trial, recording), COLOURS),
      panel("latency, ms", 110, latencies(trial, recording), ["#0b7285", "#c2410c"]),
    ],
    resolve: { scale: { color: "independent" } },
  };
}

function panel(title: string, height: number, values: readonly Point[], colours: string[]) {
  const lines = [...new Set(values.map(({ line }) => line))];
  return {
    width: WIDTH,
    height,
    data: { values: [...values] },
    mark: { type: "line" as const, strokeWidth: 1.6, clip: true },
    encoding: {
      x: {
        field: "second",
        type: "quantitative" as const,
        title: "seconds",
        axis: { grid: false },
      },
      y: { field: "value", type: "quantitative" as const, title },
      color: {
        field: "line",
        type: "nominal" as const,
        title: null,
        sort: lines,
        scale: { domain: lines, range: colours.slice(0, lines.length) },
      },
    },
  };
}

function load(trial: Trial, recording: Recording): Point[] {
  const perSecond = 1000 / recording.width;
  return pointsOf(trial, recording, (from, second) => {
    const { offered, served } = total(recording, { from, to: from + recording.width });
    return [
      { second, line: "came", value: offered * perSecond },
      { second, line: "served in time", value: served * perSecond },
      { second, line: "room for", value: trial.capacity.at(from) },
    ];
  });
}

function refused(trial: Trial, recording: Recording): Point[] {
  return pointsOf(trial, recording, (from, second) =>
    PRIORITIES.map((priority: Priority) => {
      const { offered, shed } = total(recording, { from, to: from + recording.width, priority });
      return { second, line: priority, value: offered === 0 ? 0 : shed / offered };
    }),
  );
}

function latencies(trial: Trial, recording: Recording): Point[] {
  const ranks = { median: 0.5, p99: 0.99 };
  return pointsOf(trial, recording, (from, second) =>
    Object.entries(ranks).map(([line, rank]) => {
      const value = latency(recording, { from, to: from + recording.width, rank }) ?? 0;
      return { second, line, value: Math.round(value * 10) / 10 };
    }),
  );
}

/** The points of each bucket that is shown, with seconds counted from the first of them. */
function pointsOf(
  { shown = 0 }: Trial,
  { buckets, duration, width }: Recording,
  pointsAt: (from: number, second: number) => readonly Point[],
): Point[] {
  return buckets
    .filter(({ start }) => start >= shown && start + width <= duration)
    .flatMap(({ start }) => pointsAt(start, (start - shown) / 1000));
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
