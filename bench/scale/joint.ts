/** Several limits asked together in memory, beside the same limits asked one by one. */
import { performance } from "node:perf_hooks";
import { RateLimiter } from "spillway";
import { makeKeys } from "../keys.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Group, Progress } from "../suites/suite.ts";
import type { Part } from "./part.ts";

const AMPLE = { kind: "token bucket", rate: 1_000_000, period: "1h" } as const;
const NAMES = ["a", "b", "c", "d", "e"] as const;
const LIMITS = { a: AMPLE, b: AMPLE, c: AMPLE, d: AMPLE, e: AMPLE };
const KEYS = makeKeys(1000);
const ROUNDS = 15;
/** In a turn, for each key. */
const ASKS = 100;

export const joint: Part = {
  name: "limitAll in memory",
  measure: async (progress) => [await jointAsks(2, progress), await jointAsks(5, progress)],
};

/** So many limits together, and one by one. */
async function jointAsks(count: number, progress: Progress): Promise<Group> {
  const title = `${count} limits of a key in memory`;
  const contestants = [together(count), oneByOne(count)];
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return groupOf(title, measured, { figure: "ns", unit: "ns" });
}

function together(count: number): Contestant<{ readonly ns: number }> {
  const limiter = new RateLimiter(LIMITS);
  const names = NAMES.slice(0, count);
  return contestant(`limitAll of ${count}`, (key) => {
    return limiter.limitAll(names.map((limit) => ({ limit, key }))).ok;
  });
}

function oneByOne(count: number): Contestant<{ readonly ns: number }> {
  const limiter = new RateLimiter(LIMITS);
  const names = NAMES.slice(0, count);
  return contestant(`limit, ${count} times`, (key) => {
    let ok = true;
    for (const name of names) ok = limiter.limit(name, { key }).ok && ok;
    return ok;
  });
}

function contestant(
  name: string,
  ask: (key: string) => boolean,
): Contestant<{ readonly ns: number }> {
  return {
    name,
    async measure() {
      const start = performance.now();
      for (let round = 0; round < ASKS; round++) {
        for (const key of KEYS) if (!ask(key)) throw new Error(`${name} refused ${key}`);
      }
      return { ns: ((performance.now() - start) * 1e6) / (ASKS * KEYS.length) };
    },
  };
}
