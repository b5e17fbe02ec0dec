/** Whether the book of starts keeps what is promised. */
import { expect } from "vitest";
import type { Job } from "../../src/deferred/index.ts";
import { until } from "../servers/until.ts";
import type { Entry, Open } from "./places.ts";
import type { WorkerProcess } from "./workers.ts";

/** Milliseconds between two starts. */
export const SPACING = 100;
export const LIMIT = {
  kind: "leaky bucket",
  rate: 1000 / SPACING,
  period: 1000,
  capacity: 500,
} as const;
/** Clocks show whole milliseconds. */
const GRAIN = 2;

export async function statesOf({ mailing }: Open, jobs: readonly Job[]) {
  return Promise.all(jobs.map(async ({ id }) => (await mailing.find(id))?.state));
}

/** Waits until all of them are over. */
export async function over(opened: Open, jobs: readonly Job[]): Promise<void> {
  const areOver = async () => {
    const found = await Promise.all(jobs.map(({ id }) => opened.mailing.find(id)));
    // What is left is the cause that is shown.
    expect(found.filter((job) => !job || ["queued", "running"].includes(job.state))).toEqual([]);
    return true;
  };
  await until(areOver, { what: "all jobs are over" });
}

/** Judges what the book has of these jobs, which are all of one key. */
export function judge(
  book: readonly Entry[],
  workers: readonly WorkerProcess[],
  jobs: readonly Job[],
): void {
  const delays = new Map<string, number>();
  for (const [start, took] of workers.flatMap(({ delays }) => delays)) {
    delays.set(start, Math.max(took, delays.get(start) ?? 0));
  }
  // Jobs of other keys, which earlier tests may have left, pass gates of their own.
  const judged = new Set(jobs.map(({ id }) => id));
  const starts = book
    .filter(({ what, id }) => what === "start" && judged.has(id))
    .sort((one, other) => one.at - other.at);
  for (const [n, next] of starts.slice(1).entries()) {
    const { pid, id, at } = starts[n] as Entry;
    // The line of the one before may have come this much after its start.
    const delay = delays.get(`${pid} ${id}`) ?? SPACING;
    expect(next.at - at + delay, `starts ${n} and ${n + 1}`).toBeGreaterThanOrEqual(
      SPACING - GRAIN,
    );
  }
  for (const { id, startAt } of jobs) {
    const own = book.filter((entry) => entry.id === id);
    for (const { what, at } of own)
      if (what === "start") expect(at).toBeGreaterThanOrEqual(startAt);
    for (const [n, entry] of own.entries()) {
      const next = own[n + 1];
      // Whoever starts again comes after the end of who had it before, or after its loss.
      if (entry.what === "start" && next?.what === "start")
        expect(mayLose(entry, workers)).toBe(true);
    }
  }
}

/** Whoever was killed or halted in the middle of a job may have lost it; without its store, an attempt has failed. */
function mayLose({ pid, id }: Entry, workers: readonly WorkerProcess[]): boolean {
  const worker = workers.find((worker) => worker.pid === pid);
  return worker !== undefined && (worker.isKilled || worker.wasHalted || worker.hasFailed(id));
}
