/** What every real queue has to do, and what only one in a database can. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { Deferred, type Job, jobId, type Submission } from "../../src/deferred/index.ts";
import { RateLimiter } from "../../src/index.ts";
import { startPostgres } from "../servers/postgres/start.ts";
import { startRedis } from "../servers/redis-node.ts";
import { until } from "../servers/until.ts";
import { type Open, open, type Place, type Task } from "./places.ts";
import { startWorkers } from "./workers.ts";

const LIMIT = { kind: "leaky bucket", rate: 20, period: 1000, capacity: 100 } as const;
const SERVERS = { bullmq: () => startRedis(), "pg-boss": () => startPostgres() };

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
    const limiter = new RateLimiter({ mailing: { ...LIMIT, rate: 1 } });
    const mailing = new Deferred<Task>({ limiter, limit: "mailing", queue, deadline: 200 });
    const id = jobId("away", newKey());
    const halted = server.halt(900);
    await expect(mailing.submit({ ms: 1 }, { id })).rejects.toMatchObject({ code: "queue-failed" });
    await expect(mailing.submit({ ms: 1 })).rejects.toMatchObject({ code: "queue-failed" });
    expect(limiter.value("mailing").remaining).toBe(LIMIT.capacity);
    await halted;
    await until(() => mailing.submit({ ms: 1 }, { id }).then(() => true), { what: "it is back" });
    expect(accepted(await mailing.submit({ ms: 1 }, { id })).id).toBe(id);
    expect(limiter.value("mailing").remaining).toBe(LIMIT.capacity - 1);
  });

  // Nothing in between is the queue's: one of them shows it.
  test.runIf(queue === "bullmq")(
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
    const [one, place] = [await opening, await placed];
    // Its clock is an hour early: nothing starts before its time.
    const workers = await startWorkers(1, { place, limit: LIMIT, skew: 3_600_000 });
    const jobs: Job[] = [];
    for (let n = 0; n < 12; n++) jobs.push(accepted(await one.mailing.submit({ ms: 1 })));
    for (const { id } of jobs) await one.mailing.cancel(id);
    const states = async () =>
      Promise.all(jobs.map(async ({ id }) => (await one.mailing.find(id))?.state));
    const isOver = async () =>
      (await states()).every((state) => state === "done" || state === "cancelled");
    await until(isOver, { what: "all are done or cancelled" });
    const book = await one.book();
    const begun = (id: string) => book.some((entry) => entry.id === id && entry.what === "start");
    const ends = await states();
    expect(jobs.map(({ id }) => (begun(id) ? "done" : "cancelled"))).toEqual(ends);
    for (const { id, startAt } of jobs) {
      for (const entry of book)
        if (entry.id === id) expect(entry.at).toBeGreaterThanOrEqual(startAt);
    }
    await Promise.all(workers.map((worker) => worker.kill()));
  });

  test.runIf(queue === "pg-boss")("in a transaction all of it commits, or none", async () => {
    const { mailing, limiter } = await opening;
    const pool = new Pool({
      host: "127.0.0.1",
      port: (await placed).port,
      user: "postgres",
      database: "postgres",
    });
    await pool.query("create table orders (id uuid)");
    const order = async (id: string, key: string, end: "commit" | "rollback") => {
      const client = await pool.connect();
      await client.query("begin");
      await client.query("insert into orders values ($1)", [id]);
      expect(accepted(await mailing.within(client).submit({ ms: 1 }, { id, key })).state).toBe(
        "queued",
      );
      await client.query(end);
      client.release();
    };
    const [kept, gone] = [jobId("kept"), jobId("gone")];
    const [keptKey, goneKey] = [newKey(), newKey()];
    await order(kept, keptKey, "commit");
    await order(gone, goneKey, "rollback");
    expect((await pool.query("select id from orders")).rows).toEqual([{ id: kept }]);
    expect(await mailing.find(kept)).toMatchObject({ id: kept });
    expect(await mailing.find(gone)).toBeUndefined();
    expect((await limiter.value("mailing", { key: goneKey })).remaining).toBe(LIMIT.capacity);
    expect(() => mailing.within(pool)).toThrow(
      expect.objectContaining({ code: "bad-transaction" }),
    );
    await pool.end();
  });

  test.runIf(queue === "pg-boss")(
    "text that Postgres can't keep is refused, and not tried again",
    async () => {
      const { mailing } = await opening;
      for (const text of ["a\0b", "\ud800", "\\\0"]) {
        const odd = mailing.submit({ ms: 0, text } as Task);
        await expect(odd).rejects.toMatchObject({ code: "bad-job" });
      }
      const fine = await mailing.submit({ ms: 0, text: "\\u0000 and 💧" } as Task);
      expect(fine.ok).toBe(true);
    },
  );
});
