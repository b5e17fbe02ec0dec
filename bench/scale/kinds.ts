/** Each kind of limit in a process in which all kinds are used, beside one in which it is the only one. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Contestant, interleave, type Medians } from "../run.ts";
import type { Group } from "../suites/suite.ts";
import type { Part } from "./part.ts";

const run = promisify(execFile);
const KINDS = [
  "token bucket",
  "leaky bucket",
  "fixed window",
  "sliding window",
  "sliding log",
  "concurrency",
] as const;
const ROUNDS = 5;

export const kinds: Part = {
  name: "kinds in memory",
  async measure(progress) {
    const title = "ns of a call on each kind";
    const contestants = [together(), ...KINDS.map(alone)];
    const medians = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return KINDS.map((kind) => groupOf(kind, medians));
  },
};

type Nanoseconds = Readonly<Record<string, number>>;

function together(): Contestant<Nanoseconds> {
  return { name: "together", measure: () => timesOf(KINDS) };
}

function alone(kind: string): Contestant<Nanoseconds> {
  return { name: kind, measure: () => timesOf([kind]) };
}

/** Measured in a process of its own: what has been run before changes how fast code is. */
async function timesOf(kinds: readonly string[]): Promise<Nanoseconds> {
  const program = fileURLToPath(new URL("kinds-child.ts", import.meta.url));
  const { stdout } = await run(process.execPath, [program, ...kinds]);
  return JSON.parse(stdout);
}

function groupOf(kind: string, medians: Medians<Nanoseconds>): Group {
  const call = kind === "concurrency" ? "acquire with release" : kind;
  const rows = [
    { name: call, from: "together" },
    { name: `${call}, alone in its process`, from: kind },
  ];
  return {
    title: `${call}, where all kinds are used`,
    rows: rows.map(({ name, from }) => {
      const ns = medians.get(from)?.[kind] ?? Number.NaN;
      return { name, value: Math.round(ns), unit: "ns" };
    }),
  };
}
