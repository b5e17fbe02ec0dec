/** What a reload of 10 000 rules costs who asks meanwhile. */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { quantile } from "../numbers.ts";
import type { Part } from "../scale/part.ts";
import type { Group, Progress } from "../suites/suite.ts";
import { manyRules, writeRules } from "./many-rules.ts";
import { Means } from "./means.ts";
import { Prober } from "./prober.ts";

const RULES = 10_000;
const ROUNDS = 5;

export const reload: Part = {
  name: "reload",
  async measure(progress: Progress) {
    await using means = new Means();
    const directory = join(means.directory, "rules");
    writeRules(directory, manyRules(RULES));
    const service = await means.service(["--merge-domains"], directory);
    using prober = new Prober(service.grpcPort);
    const quiet = await prober.during(() => pause(1000));
    const all: number[][] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const start = performance.now();
      const times = await prober.during(async () => {
        writeRules(directory, manyRules(RULES, 1 + round));
        await service.says(/rule files have changed/);
      });
      const took = Math.round(performance.now() - start);
      progress(`reload ${round} of ${ROUNDS}: ${took} ms, slowest ${Math.max(...times)} µs`);
      all.push(times);
    }
    return groups(quiet, all);
  },
};

/** The longest wait of a reload, in the middle of them, and the longest of all. */
function groups(quiet: readonly number[], all: readonly (readonly number[])[]): readonly Group[] {
  const slowest = all.map((times) => Math.max(...times));
  const row = (name: string, value: number) => ({ name, value: Math.round(value), unit: "µs" });
  return [
    {
      title: "One request at a time while 10 000 rules are reloaded",
      rows: [
        row("reload slowest request, median", quantile(slowest, 0.5)),
        row("reload slowest request, worst", Math.max(...slowest)),
        row("reload p99", quantile(all.flat(), 0.99)),
        row("without a reload, slowest request", Math.max(...quiet)),
        row("without a reload, p99", quantile(quiet, 0.99)),
      ],
    },
  ];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
