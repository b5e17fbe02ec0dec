/** Processes that hold units of one file keep law 1 to the unit, killed and suspended as well. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Limit } from "../../../src/core/index.ts";
import { runs } from "../../runs.ts";
import { beginTogether, Child } from "../child.ts";
import { tempFolder } from "./drivers.ts";
import type { LentErrand } from "./lent-errand.ts";

const LIMIT = {
  kind: "token bucket",
  rate: 400,
  period: 1000,
  capacity: 200,
  share: 400,
} as const satisfies Limit;
const FOR_MS = runs(2500);

class LentAsker extends Child {
  constructor(errand: LentErrand) {
    super(new URL("./lent-asker.ts", import.meta.url), errand);
  }

  /** The whole lines that it said: when each call that was admitted began and ended. */
  get admitted(): readonly (readonly [began: number, ended: number])[] {
    const lines = this.said.split("\n").slice(1, -1);
    return lines.map((line) => line.split(" ").map(Number) as [number, number]);
  }
}

/** The most that any span admitted beyond the bound, counted by the calls that lie wholly within it. */
function excess(calls: readonly (readonly [number, number])[]): number {
  const first = Math.min(...calls.map(([began]) => began));
  const last = Math.max(...calls.map(([, ended]) => ended));
  let most = Number.NEGATIVE_INFINITY;
  for (let from = first; from <= last; from++) {
    const endedAt = new Float64Array(last - from + 1);
    for (const [began, ended] of calls) if (began >= from) endedAt[ended - from] = (endedAt[ended - from] as number) + 1;
    let count = 0;
    for (let to = from; to <= last; to++) {
      count += endedAt[to - from] as number;
      const bound = LIMIT.capacity + (LIMIT.rate * (to + 1 - from)) / LIMIT.period;
      most = Math.max(most, count - bound);
    }
  }
  return most;
}

test("four processes, one killed and one suspended for longer than it may hold, are never over", async () => {
  using folder = tempFolder();
  const errand = { path: folder.file("limits.db"), limit: LIMIT, forMs: FOR_MS };
  const askers = [0, 1, 2, 3].map(() => new LentAsker(errand));
  await beginTogether(askers);
  const [killed, suspended, ...others] = askers as [LentAsker, LentAsker, ...LentAsker[]];
  await killed.killWhen(() => killed.admitted.length > 30);
  await suspended.suspendFor(3 * LIMIT.share, pause);
  await Promise.all([suspended, ...others].map((asker) => asker.done()));
  for (const asker of askers) expect(asker.admitted.length).toBeGreaterThan(0);
  expect(excess(askers.flatMap(({ admitted }) => admitted))).toBeLessThanOrEqual(0);
});
