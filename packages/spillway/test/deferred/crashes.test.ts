/** Real queues, worker processes that are killed, and stores that are killed under them. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type Job, jobId } from "../../src/deferred/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { startPostgres } from "../servers/postgres/start.ts";
import { startRedis } from "../servers/redis-node.ts";
import { until } from "../servers/until.ts";
import { type Entry, type Open, open, type Place } from "./places.ts";
import { startWorkers, type WorkerProcess } from "./workers.ts";

const SPACING = 100;
const LIMIT = { kind: "leaky bucket", rate: 1000 / SPACING, period: 1000, capacity: 500 } as const;
/** Clocks show whole milliseconds. */
const GRAIN = 2;

const SERVERS = {
  bullmq: () => startRedis({ persistence: true }),
  "pg-boss": () => startPostgres(),
};

describe.each(["bullmq", "pg-boss"] as const)("on %s", (queue) => {
  const started = SERVERS[queue]();
  afterAll(async () => (await started)[Symbol.asyncDispose]());

  test("kill -9 of workers and of the store loses no job, doubles none, and keeps the pace", async () => {
    const server = await started;
    const place: Place = { queue, port: server.port };
    const opened = await open(place, LIMIT);
    const workers = await startWorkers(2, { place, limit: LIMIT });
    const everybody = [...workers];
    const jobs: Job[] = [];
    const ask = async (data: { ms: number; fails?: number }) => {
      const answer = await opened.mailing.submit(data);
      if (answer.ok) jobs.push(answer.job);
    };
    try {
      for (let n = 0; n < runs(14); n++)
        await ask({ ms: n % 4 === 0 ? 300 : 5, fails: n % 5 === 1 ? 1 : 0 });
      const cancelled = (await opened.mailing.cancel(jobs.at(-2)?.id ?? "")) as Job;
      expect(cancelled.state).toBe("cancelled");
      // In the middle of a job.
      await workers[0]?.until(({ starts }) => starts >= 2);
      await workers[0]?.kill();
      everybody.push(...(await startWorkers(1, { place, limit: LIMIT })));
      await workers[1]?.until(({ starts }) => starts >= 4);
      await server.restart();
      await until(() => ask({ ms: 5 }).then(() => true), { what: "the queue takes a job again" });
      await over(opened, jobs);
      const states = await statesOf(opened, jobs);
      expect(states.filter((state) => state === "cancelled")).toHaveLength(1);
      expect(states.filter((state) => state === "done")).toHaveLength(jobs.length - 1);
      judge(await opened.book(), everybody, jobs);
    } finally {
      await Promise.all(everybody.map((worker) => worker.kill()));
      await opened.close();
    }
  }, 120_000);

  // Some two minutes: for `npm run soak` only.
  test.runIf(runs(1) > 1)("whatever is killed or halted at random, all of it holds", async () => {
    const server = await started;
    const place: Place = { queue, port: server.port };
    const opened = await open(place, LIMIT);
    const random = seededRandom(20 + runs(1));
    const upTo = (most: number) => Math.floor(random() * most);
    const errand = { place, limit: LIMIT };
    const workers = await startWorkers(3, errand);
    const everybody = [...workers];
    const jobs: Job[] = [];
    const ask = async () => {
      const data = { ms: upTo(250), fails: upTo(4) === 0 ? 1 : 0 };
      const id = jobId(`${random()}`);
      const isAccepted = async () => {
        const answer = await opened.mailing.submit(data, { id });
        if (answer.ok) jobs.push(answer.job);
        return answer.ok;
      };
      // What was lost may have been the answer: asked again with its id, it is queued once.
      await until(isAccepted, { what: "the queue takes a job" });
    };
    const harm = [
      async () => {
        await workers.shift()?.kill();
        const started = await startWorkers(1, errand);
        workers.push(...started);
        everybody.push(...started);
      },
      () => server.restart(),
      () => server.halt(upTo(1500)),
      () => (workers[upTo(workers.length)] as WorkerProcess).halt(upTo(2500)),
      async () => {
        await opened.mailing.cancel(jobs.at(-1 - upTo(5))?.id ?? "").catch(() => {});
      },
    ];
    try {
      for (let n = 0; n < 40; n++) {
        for (let more = upTo(8); more > 0; more--) await ask();
        await harm[upTo(harm.length)]?.();
        await sleep(upTo(800));
      }
      await over(opened, jobs);
      const states = await statesOf(opened, jobs);
      expect(states.filter((state) => state !== "done" && state !== "cancelled")).toEqual([]);
      judge(await opened.book(), everybody, jobs);
    } finally {
      await Promise.all(everybody.map((worker) => worker.kill()));
      await opened.close();
    }
  });
});

async function statesOf({ mailing }: Open, jobs: readonly Job[]) {
  return Promise.all(jobs.map(async ({ id }) => (await mailing.find(id))?.state));
}

async function over(opened: Open, jobs: readonly Job[]): Promise<void> {
  const isOver = async () =>
    (await statesOf(opened, jobs)).every(
      (state) => state && !["queued", "running"].includes(state),
    );
  await until(isOver, { what: "all jobs are over", patience: 90_000 });
}

function judge(
  book: readonly Entry[],
  workers: readonly WorkerProcess[],
  jobs: readonly Job[],
): void {
  const delays = new Map<string, number>();
  for (const [start, took] of workers.flatMap(({ delays }) => delays)) {
    delays.set(start, Math.max(took, delays.get(start) ?? 0));
  }
  const starts = book
    .filter(({ what }) => what === "start")
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
