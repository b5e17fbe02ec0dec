/** The three pictures of a play, as options and data of uPlot. */
import uPlot from "uplot";
import {
  type Bars,
  barsOf,
  type Levels,
  levelsOf,
  numberText,
  type PlayedColumns,
  timeText,
} from "../../../model/index.ts";
import type { Span } from "./use-playground.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between marks of the axis of time. */
const DISTANCES = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90].map((count) => count * DAY),
];

/** Pixels of a column in which requests are counted. */
const COLUMN = 5;

/** What the pictures of a play show. */
export type Points = { readonly bars: Bars; readonly levels: Levels; readonly end: number };

/** Counts a play for pictures of a width in pixels: they cost the same for any number of decisions. */
export function pointsOf(play: PlayedColumns, { from, to }: Span, width: number): Points {
  const view = { from, to, columns: Math.max(10, Math.floor(width / COLUMN)) };
  const levels = levelsOf(play.columns, { ...view, columns: Math.max(10, width) });
  return { bars: barsOf(play.columns, view), levels, end: play.end };
}

/** Colours of the page, as a canvas needs them. */
export type Colours = Readonly<Record<"admitted" | "refused" | "left" | "text" | "grid", string>>;

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    admitted: colour("--pg-admitted"),
    refused: colour("--pg-refused"),
    left: colour("--pg-left"),
    text: colour("--vp-c-text-2"),
    grid: colour("--vp-c-divider"),
  };
}

export type ChartName = "requests" | "left" | "waits";

export type Chart = {
  readonly name: ChartName;
  readonly title: string;
  readonly height: number;
  readonly series: (colours: Colours) => uPlot.Series[];
  readonly values: (value: number) => string;
  readonly data: (points: Points) => uPlot.AlignedData;
};

export const CHARTS: readonly Chart[] = [
  {
    name: "requests",
    title: "requests",
    height: 110,
    values: numberText,
    series: ({ admitted, refused }) => [bars(refused), bars(admitted)],
    data: ({ bars: { middle, admitted, refused } }) => {
      const both = admitted.map((count, index) => count + (refused[index] ?? 0));
      return [middle, holed(both), holed(admitted)] as uPlot.AlignedData;
    },
  },
  {
    name: "left",
    title: "units left",
    height: 85,
    values: numberText,
    series: ({ left }) => [
      {
        stroke: left,
        fill: `${left}2a`,
        width: 1.5,
        points: { show: false },
        paths: (uPlot.paths.stepped as NonNullable<typeof uPlot.paths.stepped>)({ align: 1 }),
      },
    ],
    data: ({ levels: { at, left }, end }) => [
      [...at, end],
      [...left, left.at(-1) ?? 0],
    ],
  },
  {
    name: "waits",
    title: "longest wait",
    height: 85,
    values: timeText,
    series: ({ refused, admitted }) => [dots(refused), dots(admitted)],
    data: ({ bars: { middle, refusedWait, admittedWait } }) =>
      [middle, holed(refusedWait), holed(admittedWait)] as uPlot.AlignedData,
  },
];

/** Columns without a value draw nothing. */
function holed(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isNaN(value) || value === 0 ? null : value));
}

function bars(colour: string): uPlot.Series {
  const paths = (uPlot.paths.bars as NonNullable<typeof uPlot.paths.bars>)({ size: [0.8, 4, 2] });
  return { fill: colour, stroke: colour, width: 0, points: { show: false }, paths };
}

function dots(colour: string): uPlot.Series {
  return { stroke: colour, paths: () => null, points: { show: true, size: 5, fill: colour } };
}

export type ChartEvents = {
  readonly zoom: (span: Span) => void;
  readonly reset: () => void;
  readonly point: (instant: number) => void;
};

/** What uPlot needs of a chart; the axis of time only where it is the last one. */
export function optionsOf(
  chart: Chart,
  { width, colours, isLast, events, span }: ChartLook,
): uPlot.Options {
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
  };
  return {
    width,
    height: chart.height + (isLast ? 42 : 0),
    legend: { show: false },
    cursor: cursorOf(events),
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: () => rangeOf(span()) },
      y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.1] },
    },
    series: [{}, ...chart.series(colours)],
    axes: [
      timeAxis(axis, isLast),
      {
        ...axis,
        size: 64,
        label: chart.title,
        labelSize: 18,
        values: (_, all) => all.map(chart.values),
      },
    ],
    hooks: {
      setSelect: [(plot) => zoomed(plot, events)],
      setCursor: [(plot) => pointed(plot, events)],
    },
  };
}

export type ChartLook = {
  readonly width: number;
  readonly colours: Colours;
  readonly isLast: boolean;
  /** The time to show, whenever it is drawn. */
  readonly span: () => Span;
  readonly events: ChartEvents;
};

function rangeOf({ from, to }: Span): uPlot.Range.MinMax {
  return [from, to];
}

function timeAxis(axis: uPlot.Axis, isLast: boolean): uPlot.Axis {
  const shown = isLast
    ? { size: 28, label: "time since the beginning", labelSize: 18 }
    : { size: 6 };
  return {
    ...axis,
    ...shown,
    space: 70,
    incrs: DISTANCES,
    values: (_, all) => all.map((at) => (isLast ? timeText(at) : "")),
  };
}

function cursorOf({ reset }: ChartEvents): uPlot.Cursor {
  return {
    y: false,
    points: { show: false },
    drag: { x: true, y: false, setScale: false },
    sync: { key: "playground" },
    bind: {
      dblclick: () => () => {
        reset();
        return null;
      },
    },
  };
}

function zoomed(plot: uPlot, { zoom }: ChartEvents): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  zoom({ from: Math.max(0, plot.posToVal(left, "x")), to: plot.posToVal(left + width, "x") });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function pointed(plot: uPlot, { point }: ChartEvents): void {
  const { left, event } = plot.cursor;
  // Without an event it was moved by the page itself.
  if (left !== undefined && left >= 0 && event !== undefined) point(plot.posToVal(left, "x"));
}
