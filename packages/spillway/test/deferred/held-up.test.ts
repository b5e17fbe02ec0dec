/** A process that stands still between taking a job of pg-boss and starting it. */
import { Pool } from "pg";
import PgBoss from "pg-boss";
import { expect, test } from "vitest";
import { Deferred, pgBossQueue } from "../../src/deferred/index.ts";
import { RateLimiter } from "../../src/index.ts";
import { systemScheduler } from "../../src/internal/index.ts";
import { startPostgres } from "../servers/postgres/start.ts";
import { until } from "../servers/until.ts";

const LIMITS = { mailing: { kind: "leaky bucket", rate: 10, period: "1s" } } as const;

test("gives it back and has it again, though it has too little of its time left", async () => {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres());
  const pool = stack.adopt(new Pool({ connectionString: server.url }), (pool) => pool.end());
  const boss = new PgBoss({ connectionString: server.url, supervise: false, schedule: false });
  await boss.start();
  stack.defer(() => boss.stop({ graceful: false, wait: true }));
  await boss.createQueue("mailing");

  let still = 0;
  const fetch = boss.fetch.bind(boss);
  boss.fetch = (async (name: string, options: PgBoss.FetchOptions & { includeMetadata: true }) => {
    const jobs = await fetch<unknown>(name, options);
    if (jobs.length > 0) still = 10_000;
    return jobs;
  }) as typeof boss.fetch;
  const limiter = new RateLimiter(LIMITS);
  const scheduler = { ...systemScheduler, elapsed: () => systemScheduler.elapsed() + still };
  const queue = pgBossQueue(boss, { name: "mailing", pool, poll: 20, scheduler });
  const mailing = new Deferred({ limiter, limit: "mailing", queue, scheduler });

  await mailing.submit("letter");
  const sent: unknown[] = [];
  const worker = mailing.work(({ data }) => void sent.push(data));
  await until(() => sent.length > 0, { what: "it is sent" });
  await worker.close();
  expect([still, sent]).toEqual([10_000, ["letter"]]);
});
