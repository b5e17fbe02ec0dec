/** Minutes of random harm to worker processes and stores: for `npm run soak`. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Job, jobId } from "../../src/deferred/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";
import { startPostgres } from "../servers/postgres/start.ts";
import { startRedis } from "../servers/redis-node.ts";
import { until } from "../servers/until.ts";
import { judge, LIMIT, over, statesOf } from "./judge.ts";
import { open, type Place } from "./places.ts";
import { startWorkers, type WorkerProcess } from "./workers.ts";

const SERVERS = {
  bullmq: () => startRedis({ persistence: true }),
  "pg-boss": () => startPostgres(),
};

describe.runIf(runs(1) > 1).each(["bullmq", "pg-boss"] as const)("on %s", (queue) => {
  test("whatever is killed or halted at random, all of it holds", async () => {
    await using server = await SERVERS[queue]();
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
      for (let n = 0; n < 80; n++) {
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
  }, 390_000);
});
