/** A server under load, with and without a shedder, by the library's own simulation. Pure. */
import { adaptiveShedder } from "spillway/shedding";
import {
  constant,
  exponential,
  goodput,
  latency,
  mix,
  type Recording,
  simulate,
  spike,
  successRate,
  type World,
} from "spillway/testing/simulation";

/** What can be chosen. */
export type SheddingSetup = {
  /** Requests a second. The database has room for 200 a second. */
  readonly load: number;
  /** How many of a hundred requests are critical; the others are low. */
  readonly critical: number;
  /** How many times slower the database is from 20 s to 40 s; 1 for no failure. */
  readonly slower: number;
};

type Field = {
  readonly name: keyof SheddingSetup;
  readonly title: string;
  readonly least: number;
  readonly most: number;
  readonly start: number;
};

export const SHEDDING_FIELDS: readonly Field[] = [
  { name: "load", title: "Requests a second", least: 10, most: 600, start: 150 },
  { name: "critical", title: "Critical, of 100 requests", least: 1, most: 99, start: 10 },
  { name: "slower", title: "Database slower, times", least: 1, most: 10, start: 4 },
];

/** What one run came to; the lists have a number for each second. */
export type SheddingRun = {
  readonly name: string;
  readonly goodput: readonly number[];
  readonly latency: readonly (number | null)[];
  readonly critical: readonly number[];
  /** Parts of requests that were served in time, from 0 to 1. */
  readonly served: { readonly all: number; readonly critical: number };
};

const SECONDS = 60;
const DATABASE = { pool: "database", time: exponential(50) };

/** Simulates a minute without a shedder, and with one. */
export async function playShedding(setup: SheddingSetup): Promise<readonly SheddingRun[]> {
  const adaptive = ({ scheduler, clock, random, utilization }: World) =>
    adaptiveShedder({ scheduler, clock, random, gate: utilization() });
  const without = await simulate(scenarioOf(setup));
  const shedded = await simulate({ ...scenarioOf(setup), shedder: adaptive });
  return [runOf("without a shedder", without), runOf("with a shedder", shedded)];
}

function scenarioOf({ load, critical, slower }: SheddingSetup) {
  const work = { cpu: exponential(1), downstream: DATABASE };
  return {
    seed: 1,
    duration: SECONDS * 1000,
    traffic: mix(constant(load), [
      { weight: critical, priority: "critical", ...work },
      { weight: 100 - critical, priority: "low", ...work },
    ]),
    pools: {
      database: {
        workers: 10,
        slowdown: spike({ base: 1, peak: slower, at: 20_000, lasting: 20_000 }),
      },
    },
    client: { deadline: 1000, attempts: 2, backoff: 100 },
  };
}

function runOf(name: string, recording: Recording): SheddingRun {
  const seconds = Array.from({ length: SECONDS }, (_, second) => ({
    from: second * 1000,
    to: (second + 1) * 1000,
  }));
  const critical = { priority: "critical" } as const;
  return {
    name,
    goodput: seconds.map((span) => goodput(recording, span)),
    latency: seconds.map((span) => latency(recording, { rank: 0.95, ...span }) ?? null),
    critical: seconds.map((span) => 100 * successRate(recording, { ...span, ...critical })),
    served: { all: successRate(recording), critical: successRate(recording, critical) },
  };
}

/** Formats a setup as the query of an address, without `?`. */
export function sheddingAddress(setup: SheddingSetup): string {
  return SHEDDING_FIELDS.map(({ name }) => `${name}=${setup[name]}`).join("&");
}

/** Reads a query. Whatever is wrong with it is reported, and replaced by its default. */
export function readSheddingAddress(query: string) {
  const given = new URLSearchParams(query.slice(0, 1000));
  const problems: string[] = [];
  const numbers = SHEDDING_FIELDS.map(({ name, least, most, start }) => {
    const text = given.get(name) ?? String(start);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return [name, value];
    const found = JSON.stringify(text.slice(0, 40));
    problems.push(`${name}: ${found}, expected a whole number from ${least} to ${most}`);
    return [name, start];
  });
  return { setup: Object.fromEntries(numbers) as SheddingSetup, problems };
}
