/** Queues whose answer comes late or never: a place in the line is given back at most once. */
import { expect, test } from "vitest";
import { Deferred, type JobQueue, memoryQueue, type NewJob } from "../../src/deferred/index.ts";
import { DAY, RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";

const DAYS = {
  kind: "token bucket",
  rate: 1,
  period: DAY,
  capacity: 1,
  maxReserved: 8,
} as const;
const DEADLINE = 1000;

type Adding = (add: JobQueue["add"], job: NewJob, scheduler: VirtualScheduler) => Promise<boolean>;

/** A queue that adds jobs in its own way, behind a line that has a job. */
async function worldOf(adding: Adding) {
  const scheduler = new VirtualScheduler();
  const { clock } = scheduler;
  const limiter = new RateLimiter({ days: DAYS }, { store: memoryStore({ clock }) });
  const queue = memoryQueue({ clock, scheduler });
  const deferred = (used: JobQueue) =>
    new Deferred({ limiter, limit: "days", queue: used, scheduler, deadline: DEADLINE });
  const add = queue.add.bind(queue);
  const failing = Object.create(queue, {
    add: { value: (job: NewJob) => adding(add, job, scheduler) },
    now: { value: queue.now.bind(queue) },
    find: { value: queue.find.bind(queue) },
  }) as JobQueue;
  await deferred(queue).submit("first");
  const used = () => Math.ceil(limiter.value("days").resetAfter / DAY);
  return { scheduler, mailing: deferred(queue), failing: deferred(failing), used };
}

const later = (scheduler: VirtualScheduler) =>
  new Promise<void>((resolve) => scheduler.alarm(2 * DEADLINE, resolve));
const ID = "00000000-0000-4000-8000-000000000007";

test.each<[string, Adding]>([
  [
    "is added, and says so too late",
    async (add, job, clock) => add(job).finally(() => later(clock)),
  ],
  ["is added too late", async (add, job, clock) => later(clock).then(() => add(job))],
  [
    "is added, and its answer is lost",
    async (add, job) => {
      await add(job);
      throw new Error("connection reset");
    },
  ],
])("a job that %s gives its place back once, when it is cancelled", async (_, adding) => {
  const { scheduler, mailing, failing, used } = await worldOf(adding);
  const asking = expect(failing.submit("second", { id: ID })).rejects.toMatchObject({
    code: "queue-failed",
  });
  await scheduler.advance(3 * DEADLINE);
  await asking;
  expect(used()).toBe(2);
  expect(await mailing.cancel(ID)).toMatchObject({ state: "cancelled" });
  expect(used()).toBe(1);
});

test.each<[string, Adding]>([
  ["is refused", () => Promise.reject(new Error("no such queue"))],
  [
    "is refused too late",
    async (_, __, clock) => later(clock).then(() => Promise.reject(new Error("no such queue"))),
  ],
  [
    "is there already, as is known too late",
    async (_, __, clock) => later(clock).then(() => false),
  ],
])("a job that %s gives its place back at once", async (_, adding) => {
  const { scheduler, failing, used } = await worldOf(adding);
  const asking = expect(failing.submit("second", { id: ID })).rejects.toMatchObject({
    code: "queue-failed",
  });
  await scheduler.advance(3 * DEADLINE);
  await asking;
  expect(used()).toBe(1);
});
