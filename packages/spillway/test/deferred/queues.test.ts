/** What every real queue has to do. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { Pool } from "pg";
import PgBoss from "pg-boss";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  bullmqQueue,
  Deferred,
  type Job,
  jobId,
  pgBossQueue,
  type Submission,
} from "../../src/deferred/index.ts";
import { RateLimiter } from "../../src/index.ts";
import { runs } from "../runs.ts";
import { startPostgres } from "../servers/postgres/start.ts";
import { startRedis } from "../servers/redis-node.ts";
import { until } from "../servers/until.ts";
import { judge, LIMIT, over, statesOf } from "./judge.ts";
import { type Open, open, type Place, type Task } from "./places.ts";
import { firstToStart, startWorkers } from "./workers.ts";

const SERVERS = {
  bullmq: () => startRedis({ persistence: true }),
  "pg-boss": () => startPostgres(),
};

function accepted(submission: Submission) {
  if (!submission.ok) throw new Error(`refused: ${submission.decision.reason}`);
  return submission.job;
}

describe.each(["bullmq", "pg-boss"] as const)("on %s", (queue) => {
  const started = SERVERS[queue]();
  const placed = started.then(({ port }): Place => ({ queue, port }));
  const opening = placed.then((place) => open(place, LIMIT));
  const twin = placed.then((place) => opening.then(() => open(place, LIMIT)));
  let keys = 0;
  const newKey = () => `key ${keys++}`;

  afterAll(async () => {
    for (const each of await Promise.all([opening, twin])) await each.close();
    await (await started)[Symbol.asyncDispose]();
  });

  const used = async ({ limiter }: Open, key: string) =>
    LIMIT.capacity - (await limiter.value("mailing", { key })).remaining;

  test("one id is reserved and queued once, whoever asks at once", async () => {
    const [one, other] = await Promise.all([opening, twin]);
    const [id, key] = [jobId("ada", queue), newKey()];
    await one.mailing.submit({ ms: 1 }, { key });
    const asking = [one, other, one, other].map(({ mailing }) =>
      mailing.submit({ ms: 1 }, { id, key }),
    );
    const jobs = (await Promise.all(asking)).map(accepted);
    expect(new Set(jobs.map(({ startAt }) => startAt)).size).toBe(1);
    expect(accepted(await other.mailing.submit({ ms: 1 }, { id, key })).id).toBe(id);
    expect(await used(one, key)).toBeLessThanOrEqual(2);
  });

  test("cancelled by two at once, it gives its units back once", async () => {
    const [one, other] = await Promise.all([opening, twin]);
    const slow = { kind: "leaky bucket", rate: 1, period: "1d", capacity: 9 } as const;
    const { queue } = one;
    const days = new RateLimiter({ days: slow }, { store: one.store });
    const work = new Deferred<Task>({ limiter: days, limit: "days", queue });
    const same = new Deferred<Task>({ limiter: days, limit: "days", queue: other.queue });
    const jobs = [];
    for (let n = 0; n < 4; n++) jobs.push(accepted(await work.submit({ ms: 1 })));
    const id = jobs[3]?.id ?? "";
    const states = await Promise.all([work, same, work].map((each) => each.cancel(id)));
    expect(states.map((job) => job?.state)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect((await days.value("days")).remaining).toBe(6);
    expect(accepted(await work.submit({ ms: 1 })).startAt).toBeCloseTo(jobs[3]?.startAt ?? 0, -4);
    expect(await work.cancel(jobId("nobody"))).toBeUndefined();
    for (const job of jobs) await work.cancel(job.id);
  });

  test("a queue whose store is away is an error in time; asked again, the work is queued once", async () => {
    const [{ queue }, server] = [await opening, await started];
    const limiter = new RateLimiter({ mailing: { ...LIMIT, rate: 1, period: "1d" } });
    const hasty = new Deferred<Task>({ limiter, limit: "mailing", queue, deadline: 200 });
    const mailing = new Deferred<Task>({ limiter, limit: "mailing", queue });
    const id = jobId("away", newKey());
    await server.haltWhile(async () => {
      await expect(hasty.submit({ ms: 1 }, { id })).rejects.toMatchObject({ code: "queue-failed" });
      await expect(hasty.submit({ ms: 1 })).rejects.toMatchObject({ code: "queue-failed" });
      expect(limiter.value("mailing").remaining).toBe(LIMIT.capacity);
    });
    await until(() => mailing.submit({ ms: 1 }, { id }).then(() => true), { what: "it is back" });
    expect(accepted(await mailing.submit({ ms: 1 }, { id })).id).toBe(id);
    expect(limiter.value("mailing").remaining).toBe(LIMIT.capacity - 1);
  });

  // A process more, and nothing in between is the queue's.
  test.runIf(queue === "bullmq" && runs(1) > 1)(
    "a process that dies between the reservation and the queue leaves no job",
    async () => {
      const [place, { mailing }] = [await placed, await opening];
      const id = jobId("dying", queue);
      const program = fileURLToPath(new URL("./submit-and-die.ts", import.meta.url));
      const child = spawn(process.execPath, [program, JSON.stringify({ place, limit: LIMIT, id })]);
      const [, signal] = await once(child, "exit");
      expect(signal).toBe("SIGKILL");
      expect(await mailing.find(id)).toBeUndefined();
      expect(accepted(await mailing.submit({ ms: 1 }, { id })).state).toBe("queued");
    },
  );

  test("what is cancelled while it starts has either started or been cancelled", async () => {
    const { mailing } = await opening;
    const ask = async () => accepted(await mailing.submit({ ms: 1 }));
    const jobs: Job[] = [];
    for (let n = 0; n < 6; n++) jobs.push(await ask());
    const began = new Map<string, number>();
    // The worker's clock is an hour fast: nothing starts before its time all the same.
    const { now } = Date;
    const skewed = vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
    const worker = mailing.work(({ id }) => void began.set(id, now()));
    try {
      await until(() => began.size >= 2, { what: "some have started" });
      for (const { id } of jobs) await mailing.cancel(id);
      await over(await opening, jobs);
    } finally {
      skewed.mockRestore();
      await worker.close();
    }
    const ends = await statesOf(await opening, jobs);
    expect(jobs.map(({ id }) => (began.has(id) ? "done" : "cancelled"))).toEqual(ends);
    for (const { id, startAt } of jobs) {
      expect(began.get(id) ?? startAt).toBeGreaterThanOrEqual(startAt - 1);
    }
  });

  test.runIf(queue === "bullmq")("work that throws what is no error has failed", async () => {
    const [{ port }, { limiter }] = await Promise.all([placed, opening]);
    const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
    const redis = new Redis(connection);
    const line = new Queue("odd", { connection });
    const worker = (run: never) => new Worker("odd", run, { connection });
    const jobs = bullmqQueue(line, { redis, worker: worker as never, attempts: 1 });
    const odd = new Deferred<number>({ limiter, limit: "mailing", queue: jobs });
    const thrown = [null, undefined, "text", Object.create(null)];
    const working = odd.work(({ data }) => {
      throw thrown[data];
    });
    const ids: string[] = [];
    for (const index of thrown.keys())
      ids.push(accepted(await odd.submit(index, { key: newKey() })).id);
    const found = () => Promise.all(ids.map((id) => odd.find(id)));
    const haveFailed = async () => (await found()).every((job) => job?.state === "failed");
    await until(haveFailed, { what: "all have failed" });
    const errors = (await found()).map((job) => job?.error);
    expect(errors).toEqual(["null", "undefined", "text", "an object"]);
    await working.close();
    await line.close();
    redis.disconnect();
  });

  test("what has started is not cancelled while it waits for a new place in the line", async () => {
    const { queue, store } = await opening;
    const slow = { kind: "leaky bucket", rate: 1, period: "1d", capacity: 9 } as const;
    const limiter = new RateLimiter({ retried: slow }, { store });
    const days = new Deferred<Task>({ limiter, limit: "retried", queue });
    const { id, startAt } = accepted(await days.submit({ ms: 1 }));
    let starts = 0;
    const worker = days.work((work) => {
      if (work.id === id) starts++;
      throw new Error("fails");
    });
    const isQueuedAgain = async () => ((await days.find(id))?.startAt ?? 0) > startAt;
    await until(isQueuedAgain, { what: "it has a new place" }).finally(() => worker.close());
    expect(starts).toBe(1);
    expect((await days.cancel(id))?.state).toBe("queued");
  });

  test("a key that not every queue can keep is refused by name", async () => {
    const { mailing } = await opening;
    for (const key of ["a\0b", "\ud800"]) {
      const odd = mailing.submit({ ms: 0 }, { key });
      await expect(odd).rejects.toMatchObject({ code: "bad-job", field: "key" });
    }
  });

  test.runIf(queue === "pg-boss")(
    "a queue that was never created is named, and the place in the line is given back",
    async () => {
      const [{ port }, { store }] = await Promise.all([placed, opening]);
      const pool = new Pool({ host: "127.0.0.1", port, user: "postgres" });
      const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) } });
      const limiter = new RateLimiter({ forgotten: LIMIT }, { store });
      const jobs = pgBossQueue(boss, { name: "forgotten", pool });
      const forgotten = new Deferred<Task>({ limiter, limit: "forgotten", queue: jobs });
      try {
        const asked = forgotten.submit({ ms: 0 });
        await expect(asked).rejects.toMatchObject({ code: "bad-option", field: "name" });
        expect((await limiter.value("forgotten")).remaining).toBe(LIMIT.capacity);
      } finally {
        await pool.end();
      }
    },
  );

  test.runIf(queue === "pg-boss")(
    "text that Postgres can't keep is refused, and not tried again",
    async () => {
      const { mailing } = await opening;
      for (const text of ["a\0b", "\ud800", "\\\0"]) {
        const odd = mailing.submit({ ms: 0, text } as Task);
        await expect(odd).rejects.toMatchObject({ code: "bad-job", field: "data" });
      }
      const fine = await mailing.submit({ ms: 0, text: "\\u0000 and 💧" } as Task);
      expect(fine.ok).toBe(true);
    },
  );

  test("kill -9 of a worker and of the store loses no job, doubles none, and keeps the pace", async () => {
    const [server, place, opened] = [await started, await placed, await opening];
    const workers = await startWorkers(2, { place, limit: LIMIT });
    const jobs: Job[] = [];
    const ask = async (data: { ms: number; fails?: number }) => {
      const answer = await opened.mailing.submit(data);
      if (answer.ok) jobs.push(answer.job);
    };
    try {
      for (let n = 0; n < 10; n++)
        await ask({ ms: n % 4 === 0 ? 300 : 5, fails: n % 5 === 1 ? 1 : 0 });
      const cancelled = (await opened.mailing.cancel(jobs.at(-2)?.id ?? "")) as Job;
      expect(cancelled.state).toBe("cancelled");
      // In the middle of a job.
      const [first, other] = await firstToStart(2, workers);
      await first.kill();
      await other.until(({ starts }) => starts >= 3);
      await server.restart();
      await until(() => ask({ ms: 5 }).then(() => true), { what: "the queue takes a job again" });
      await over(opened, jobs);
      const states = await statesOf(opened, jobs);
      expect(states.filter((state) => state === "cancelled")).toHaveLength(1);
      expect(states.filter((state) => state === "done")).toHaveLength(jobs.length - 1);
      judge(await opened.book(), workers, jobs);
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
    }
  });
});
