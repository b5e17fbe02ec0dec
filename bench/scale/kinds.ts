/** Each kind of limit in a process in which all kinds are used, beside one in which it is the only one. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rowOf } from "../rows.ts";
import { type Contestant, interleave, type Rounds } from "../run.ts";
import type { Group } from "../suites/suite.ts";
import type { Part } from "./part.ts";

const run = promisify(execFile);

/** All of them, by name. */
export const KINDS = [
  "token bucket",
  "fixed window",
  "sliding window",
  "sliding log",
  "leaky bucket",
  "concurrency",
] as const;
const KEYS = 1000;
const ROUNDS = 5;

export const kinds: Part = {
  name: "kinds in memory",
  async measure(progress) {
    const title = "ns of a call on each kind";
    const contestants = [together(), ...KINDS.map((kind) => alone(kind, KEYS))];
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return KINDS.map((kind) => groupOf(kind, measured));
  },
};

/** Nanoseconds of a call on each of some kinds. */
export type Nanoseconds = Readonly<Record<string, number>>;

function together(): Contestant<Nanoseconds> {
  return { name: "together", measure: () => timesOf(KINDS, KEYS) };
}

/** A kind alone in its process. */
export function alone(kind: string, keys: number): Contestant<Nanoseconds> {
  return { name: kind, measure: () => timesOf([kind], keys) };
}

/** Measured in a process of its own: what has been run before changes how fast code is. */
async function timesOf(kinds: readonly string[], keys: number): Promise<Nanoseconds> {
  const program = fileURLToPath(new URL("kinds-child.ts", import.meta.url));
  const { stdout } = await run(process.execPath, [program, `${keys}`, ...kinds]);
  return JSON.parse(stdout);
}

function groupOf(kind: string, measured: Rounds<Nanoseconds>): Group {
  const call = kind === "concurrency" ? "acquire with release" : kind;
  const rows = [
    { name: call, from: "together" },
    { name: `${call}, alone in its process`, from: kind },
  ];
  return {
    title: `${call}, where all kinds are used`,
    rows: rows.map(({ name, from }) => {
      const values = (measured.get(from) ?? []).map((ns) => ns[kind] as number);
      return rowOf({ name, unit: "ns" }, values);
    }),
  };
}
