import { PRIORITIES, type Priority } from "spillway/shedding";
import { latency, type Recording, total } from "spillway/testing/simulation";
import { drawChart, type Mark, type Panel, type Point } from "../chart.ts";
import type { Trial } from "./trial.ts";

const MARKS = {
  came: { type: "area", colour: "#c3ccd4" },
  "served in time": { type: "line", colour: "#0b7285", strokeWidth: 1.8 },
  capacity: { type: "line", colour: "#1c2730", strokeWidth: 1.2, strokeDash: [5, 3] },
  "share not served": { type: "area", colour: "#d9480f", opacity: 0.75 },
  p99: { type: "line", colour: "#5f3dc4", strokeWidth: 1.6 },
  median: { type: "line", colour: "#9775fa", strokeWidth: 1.6 },
} satisfies { readonly [name: string]: Mark };

/** A recording as a picture: what came and was served, who was not served, how long it took. */
export async function chart(trial: Trial, recording: Recording): Promise<string> {
  const { came, p99, median } = MARKS;
  const [served, capacity] = [MARKS["served in time"], MARKS.capacity];
  return drawChart(trial, [
    {
      height: 150,
      title: "requests a second",
      x: SECONDS,
      values: load(trial, recording),
      marks: { came, "served in time": served, capacity },
    },
    ...PRIORITIES.map((priority) => unservedPanel(trial, recording, priority)),
    {
      height: 110,
      title: "latency, ms",
      x: SECONDS,
      values: latencies(trial, recording),
      marks: { p99, median },
    },
  ]);
}

const SECONDS = { axis: { grid: false, title: "seconds" } };

/** A share, from none to all of it, with its title beside it, as one of several beneath each other. */
const SHARE = {
  scale: { domain: [0, 1] },
  axis: { values: [0, 1], format: ".0%", titleAngle: 0, titleAlign: "right", titleX: -40 },
};

function unservedPanel(trial: Trial, recording: Recording, priority: Priority): Panel {
  return {
    height: 30,
    title: priority,
    x: { axis: { grid: false, labels: false, title: null } },
    y: SHARE,
    values: unserved(trial, recording, priority),
    marks: { "share not served": MARKS["share not served"] },
  };
}

function load(trial: Trial, recording: Recording): Point[] {
  const perSecond = 1000 / recording.width;
  return pointsOf(trial, recording, (from, second) => {
    const { offered, served } = total(recording, { from, to: from + recording.width });
    return {
      second,
      came: offered * perSecond,
      "served in time": served * perSecond,
      capacity: trial.capacity.at(from),
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
