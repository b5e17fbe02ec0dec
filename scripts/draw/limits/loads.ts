/** How many calls a store gets: over traffic, over holds and over keys. */
import { HOUR, type Limit, SECOND } from "spillway";
import { constant, fixed, idealShare, zipf } from "spillway/testing/simulation";
import { drawChart, type Mark, type Point } from "../chart.ts";
import { figuresOf, percent, play } from "./play.ts";

/** Units a second that the bucket of all scenarios lets pass. */
export const RATE = 1000;
/** One way between a process and its store, in ms. */
const LATENCY = fixed(0.5);

type Lending = { readonly capacity: number; readonly share: string | undefined };

/** A bucket of 1000 a second; without anything, of that capacity and with a `share` of ten seconds. */
export function bucket(of: Partial<Lending> = {}): Limit {
  const { capacity, share } = { capacity: RATE, share: "10s", ...of };
  const limit = { kind: "token bucket", rate: RATE, period: SECOND, capacity } as const;
  return share === undefined ? limit : ({ ...limit, share } as Limit);
}

type Load = { readonly times: number; readonly capacity: number };

/** Milliseconds after which a bucket that was full at the beginning is no longer, if it ever is not, and some more. */
function settledAt({ times, capacity }: Load): number {
  return times <= 1 ? 1500 : 2500 + capacity / (times - 1);
}

/** How long it is played then: a second with many calls says as much as many seconds with few. */
const playedFor = (times: number) => Math.round(Math.min(20_000, Math.max(2000, 6000 / times)));

/** So many processes, at so many times the rate. */
function atLoad({ times, capacity, processes, share }: Fleet & Load & { readonly share?: string }) {
  const from = settledAt({ times, capacity });
  const scenario = {
    duration: Math.round(from) + playedFor(times),
    width: 100,
    limits: { it: bucket({ capacity, ...(share && { share }) }) },
    processes,
    latency: LATENCY,
    traffic: [{ limit: "it", rate: constant(times * RATE) }],
  };
  return figuresOf(scenario, from);
}

type Fleet = { readonly processes: number; readonly capacity: number };

const FLEETS: readonly Fleet[] = [
  { processes: 2, capacity: RATE },
  { processes: 8, capacity: RATE },
  { processes: 64, capacity: 6400 },
  { processes: 64, capacity: RATE },
];
const COLOURS = ["#0b7285", "#5f3dc4", "#e67700", "#d9480f"];
export const TABLE_LOADS = [0.1, 0.9, 1.5, 10];
const LOADS = [0.01, 0.03, 0.1, 0.3, 0.9];

/** Rows of a table: for each fleet and load, calls for 100 and what was admitted of the ideal. */
export async function loadRows(): Promise<readonly string[]> {
  const rows = FLEETS.map(async (fleet) => {
    const cells = TABLE_LOADS.map(async (times) => {
      const { calls, ideal } = await atLoad({ times, ...fleet });
      return `${calls.toFixed(1)}, ${percent(ideal)}`;
    });
    const { processes, capacity } = fleet;
    return `| ${processes} | ${capacity} | ${(await Promise.all(cells)).join(" | ")} |`;
  });
  return Promise.all(rows);
}

/** Calls for 100, over the calls that each process gets. */
export async function loadsChart(): Promise<string> {
  const nameOf = ({ processes, capacity }: Fleet) => `${processes} of ${capacity}`;
  const marks = FLEETS.map(
    (fleet, index) => [nameOf(fleet), dotted(COLOURS[index] ?? "")] as const,
  );
  const values = FLEETS.flatMap((fleet) =>
    LOADS.map(async (times): Promise<Point> => {
      const { calls } = await atLoad({ times, ...fleet });
      return { rate: (times * RATE) / fleet.processes, [nameOf(fleet)]: tenth(calls) };
    }),
  );
  return drawChart(
    {
      wrap: 95,
      title: "Store calls, by how often a process is asked",
      about:
        "A bucket of 1000 a second, share 10s; lines by processes and capacity. From eight calls a second at each process few go to the store, where there are 100 units of capacity for each process.",
    },
    [
      {
        height: 220,
        title: "store calls for 100 calls",
        along: "rate",
        x: logAxis("calls a second at each process"),
        y: { scale: { domain: [0, 150] } },
        values: await Promise.all(values),
        marks: Object.fromEntries(marks),
      },
    ],
  );
}

const HOLDS = [100, 300, 1000, 3000, 10_000, 60_000];

/** What a hold costs: calls of the store. */
export async function holdsChart(): Promise<string> {
  const loads = { "10 calls a second": 0.01, "100 calls a second": 0.1, "900 calls a second": 0.9 };
  const calls = HOLDS.map(async (share): Promise<Point> => {
    const cells = Object.entries(loads).map(async ([name, times]) => {
      const figures = await atLoad({ times, processes: 8, capacity: RATE, share: `${share}ms` });
      return [name, tenth(figures.calls)] as const;
    });
    return { hold: share / 1000, ...Object.fromEntries(await Promise.all(cells)) };
  });
  const names = Object.keys(loads);
  const marks = names.map((name, index) => [name, dotted(COLOURS[index] ?? "")] as const);
  const x = logAxis("share, in seconds");
  return drawChart(
    {
      wrap: 95,
      title: "Which share: what it costs to hold units for shorter",
      about:
        "Eight processes, a bucket of 1000 a second. The fewer calls there are, the more of them go to the store, unless units are held for long.",
    },
    [
      {
        height: 170,
        title: "store calls for 100 calls",
        along: "hold",
        x,
        y: { scale: { domain: [0, 100] } },
        values: await Promise.all(calls),
        marks: Object.fromEntries(marks),
      },
    ],
  );
}

/**
 * The part of an hour's units that is admitted, when they are asked for within a minute.
 *
 * @param killed How many processes of eight are killed meanwhile.
 */
export async function hourly(share: number, killed = 0): Promise<number> {
  const limit = { kind: "fixed window", rate: 5000, period: HOUR, start: 0, share } as const;
  const recording = await play({
    duration: 35_000,
    limits: { it: limit },
    processes: 8,
    latency: LATENCY,
    traffic: [{ limit: "it", rate: constant(200) }],
    stops: Array.from({ length: killed }, (_, process) => ({ process, at: 15_000 })),
  });
  return idealShare(recording);
}

const KEYS = [1, 10, 100, 1000, 10_000, 100_000];

/** Calls for 100, over the number of keys. */
export async function keysChart(): Promise<string> {
  const values = KEYS.map(async (keys): Promise<Point> => {
    const scenario = {
      duration: 6000,
      limits: { it: bucket() },
      processes: 4,
      latency: LATENCY,
      traffic: [{ limit: "it", rate: constant(1000), key: zipf({ keys }) }],
    };
    const { calls } = await figuresOf(scenario, 2000);
    return { keys, "store calls": tenth(calls) };
  });
  return drawChart(
    {
      wrap: 95,
      title: "Store calls, by how many keys there are",
      about:
        "1000 calls a second at four processes, keys as frequent as words (Zipf). What is asked for once goes to the store: with very many keys that is most of it.",
    },
    [
      {
        height: 180,
        title: "store calls for 100 calls",
        along: "keys",
        x: logAxis("keys"),
        y: { scale: { domain: [0, 100] } },
        values: await Promise.all(values),
        marks: { "store calls": dotted("#0b7285") },
      },
    ],
  );
}

function dotted(colour: string): Mark {
  return { type: "line", colour, strokeWidth: 1.8, point: true, invalid: "filter" };
}

function logAxis(title: string) {
  return { scale: { type: "log" }, axis: { grid: false, title, labelOverlap: true } };
}

const tenth = (value: number) => Math.round(value * 10) / 10;
