/** What happens over time: traffic that moves, and regions, one of which is cut off. */
import {
  constant,
  idealShare,
  type LimitRecording,
  type LimitScenario,
  step,
} from "spillway/testing/simulation";
import { drawChart, type Mark, type Panel, type Point } from "../chart.ts";
import { bucket, RATE } from "./loads.ts";
import { percent, play } from "./play.ts";

const SECONDS = { axis: { grid: false, title: "seconds" } };
const MOVED = 10_000;

/** All traffic moves from one process to another, at twice the rate. */
export async function movesChart(): Promise<string> {
  const moves = (from: number, to: number, index: number) => {
    const rate = step({ from: from * RATE, to: to * RATE, at: MOVED });
    return { limit: "it", rate, processes: [index], name: `process ${index + 1}` };
  };
  const recording = await play({
    duration: 20_000,
    width: 250,
    limits: { it: bucket() },
    processes: 2,
    traffic: [moves(1.5, 0.1, 0), moves(0.1, 1.5, 1)],
  });
  return drawChart(
    {
      wrap: 95,
      title: "Traffic that moves from one process to another",
      about:
        "1.6 times the rate, nearly all of it at the first process, from 10 s on at the second: all of the limit goes on being used.",
    },
    [
      perSecond(recording, {
        came: (bucketOf) => bucketOf.tally.asked,
        "process 1": (bucketOf) => bucketOf.named["process 1"]?.admitted ?? 0,
        "process 2": (bucketOf) => bucketOf.named["process 2"]?.admitted ?? 0,
        "admitted, ideally": (bucketOf) => bucketOf.tally.ideal,
      }),
      heldPanel(recording),
    ],
  );
}

const TRAFFIC = { ap: 0.1, eu: 0.8, us: 0.1 };
const NAMES = Object.keys(TRAFFIC);

type Around = Pick<LimitScenario, "partitions" | "width" | "duration"> & {
  readonly times: number;
  readonly capacity: number;
  readonly share: string | undefined;
};

/** Three regions with four processes each; most of the traffic is in one. */
function around({ times, capacity, share, ...more }: Around): Promise<LimitRecording> {
  return play({
    ...more,
    limits: { it: bucket({ capacity, share }) },
    regions: Object.fromEntries(NAMES.map((name) => [name, { part: 1, processes: 4 }])),
    traffic: Object.entries(TRAFFIC).map(([region, part]) => {
      return { limit: "it", region, name: region, rate: constant(times * part * RATE) };
    }),
  });
}

/** What is drawn from other regions, and how. */
const WAYS = [
  { name: "fixed parts: nothing is drawn", isCut: true, capacity: 1000, share: undefined },
  { name: "drawn", isCut: false, capacity: 1000, share: undefined },
  { name: "drawn, with `share`", isCut: false, capacity: 1000, share: "10s" },
  { name: "drawn", isCut: false, capacity: 3000, share: undefined },
  { name: "drawn, with `share`", isCut: false, capacity: 3000, share: "10s" },
] as const;

/** Rows of a table: what is admitted of the ideal, at 0.9 and 2 times the rate. */
export async function regionRows(): Promise<readonly string[]> {
  const duration = 9000;
  const rows = WAYS.map(async ({ name, isCut, capacity, share }) => {
    const cut = isCut ? NAMES : [];
    const partitions = cut.map((region) => ({ region, from: 0, to: duration }));
    const cells = [0.9, 2].map(async (times) => {
      const recording = await around({ times, capacity, share, duration, partitions });
      return percent(idealShare(recording, { from: 5000 }));
    });
    return `| ${name} | ${capacity} | ${(await Promise.all(cells)).join(" | ")} |`;
  });
  return Promise.all(rows);
}

const CUT = { region: "eu", from: 8000, to: 16_000 };

/** The busy region is cut off for a while. */
export async function partitionChart(): Promise<string> {
  const recording = await around({
    times: 0.9,
    capacity: 3000,
    share: "10s",
    duration: 26_000,
    width: 500,
    partitions: [CUT],
  });
  return drawChart(
    {
      wrap: 95,
      title: "Three regions, and the busy one cut off",
      about:
        "900 calls a second, 80 % of them in eu, 40 ms between regions. From 8 s to 16 s no message enters or leaves eu: it admits its part, a third of the limit. Never over.",
    },
    [
      perSecond(recording, {
        came: ({ tally }) => tally.asked,
        admitted: ({ tally }) => tally.admitted,
        "in eu": ({ named }) => named.eu?.admitted ?? 0,
        "refused with room": ({ tally }) => tally.refusedWithRoom,
      }),
      heldPanel(recording),
    ],
  );
}

const MARKS: { readonly [name: string]: Mark } = {
  came: { type: "area", colour: "#c3ccd4" },
  admitted: { type: "line", colour: "#0b7285", strokeWidth: 1.8 },
  "process 1": { type: "line", colour: "#0b7285", strokeWidth: 1.8 },
  "process 2": { type: "line", colour: "#5f3dc4", strokeWidth: 1.8 },
  "in eu": { type: "line", colour: "#5f3dc4", strokeWidth: 1.6 },
  "admitted, ideally": { type: "line", colour: "#1c2730", strokeWidth: 1.2, strokeDash: [5, 3] },
  "refused with room": { type: "line", colour: "#d9480f", strokeWidth: 1.6 },
  held: { type: "area", colour: "#e67700", opacity: 0.75 },
};

type Bucket = LimitRecording["buckets"][number];

/** Some of what a recording counts, a second. */
function perSecond(
  { buckets, width }: LimitRecording,
  lines: { readonly [name: string]: (bucket: Bucket) => number },
): Panel {
  const values = buckets.map((one): Point => {
    const counts = Object.entries(lines).map(([name, of]) => [name, (of(one) * 1000) / width]);
    return { second: one.start / 1000, ...Object.fromEntries(counts) };
  });
  return { height: 190, title: "calls a second", x: SECONDS, values, marks: marksOf(lines) };
}

function heldPanel({ buckets, width }: LimitRecording): Panel {
  const values = buckets.map(({ start, held }) => ({ second: (start + width) / 1000, held }));
  return { height: 70, title: "units held", x: SECONDS, values, marks: marksOf({ held }) };
}

const held = true;

function marksOf(names: object): Panel["marks"] {
  return Object.fromEntries(Object.keys(names).map((name) => [name, MARKS[name] as Mark]));
}
