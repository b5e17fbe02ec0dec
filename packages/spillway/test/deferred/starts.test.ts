import { expect, test } from "vitest";
import type { TakeJob } from "../../src/deferred/contracts.ts";
import { Deferred, type JobQueue, type NewJob, type TakenJob } from "../../src/deferred/index.ts";
import { accepted, LEAKY, worldOf } from "./memory-world.ts";

test("jobs that were late start no closer together, and take new places in the line", async () => {
  const { scheduler, clock, began, mailing } = worldOf({ ...LEAKY, capacity: 100 });
  for (let n = 0; n < 5; n++) await mailing.submit(`${n}`);
  await scheduler.advance(60_000);
  const starts: string[] = [];
  mailing.work(({ data }) => void starts.push(`${data} at ${clock() - began}`));
  await scheduler.advance(1);
  const late = accepted(await mailing.submit("after them"));
  expect(late.startAt - began).toBeGreaterThanOrEqual(62_000);
  await scheduler.advance(10_000);
  expect(starts.map((start) => start.split(" at ")[1])).toEqual(
    [60_000, 60_500, 61_000, 61_500, 62_000, 62_500].map(String),
  );
});

/** A queue that is another one but for what it does otherwise. */
function over(queue: JobQueue, otherwise: Partial<JobQueue>): JobQueue {
  return {
    precision: queue.precision,
    now: () => queue.now(),
    add: (job) => queue.add(job),
    find: (id) => queue.find(id),
    cancel: (id) => queue.cancel(id),
    work: (take, options) => queue.work(take, options),
    ...otherwise,
  };
}

/** A queue whose workers take so many milliseconds between the gate and the start, job after job. */
function slowToBegin(
  world: ReturnType<typeof worldOf>,
  delays: readonly number[],
): Deferred<string> {
  const { queue, limiter, scheduler } = world;
  const left = [...delays];
  const slow: JobQueue = over(queue, {
    work: (take: TakeJob, options: { concurrency: number }) => {
      const begin = async (job: TakenJob) => {
        await scheduler.sleep(left.shift() ?? 0);
        return job.begin();
      };
      return queue.work((job) => take({ ...job, begin: () => begin(job) }), options);
    },
  });
  return new Deferred({ limiter, limit: "mailing", queue: slow, scheduler });
}

test("a start that comes late after the gate delays the next one at least as much", async () => {
  const here = worldOf(LEAKY);
  const mailing = slowToBegin(here, [200]);
  const starts: number[] = [];
  mailing.work(() => void starts.push(here.scheduler.elapsed()));
  for (const letter of ["one", "two", "three"]) await mailing.submit(letter);
  await here.scheduler.advance(5000);
  // With a margin for the charge itself.
  expect(starts).toEqual([200, 705, 1205]);
});

test("a start that comes later than half a distance passes the gate again", async () => {
  const here = worldOf(LEAKY);
  const mailing = slowToBegin(here, [400]);
  const starts: number[] = [];
  mailing.work(() => void starts.push(here.scheduler.elapsed()));
  for (const letter of ["one", "two"]) await mailing.submit(letter);
  await here.scheduler.advance(5000);
  expect(starts.length).toBe(2);
  expect(starts[0]).toBeGreaterThanOrEqual(500);
  expect((starts[1] as number) - (starts[0] as number)).toBeGreaterThanOrEqual(500);
});

test("a process that stands still after it has paid for its start passes the gate again", async () => {
  const { scheduler, limiter, queue } = worldOf(LEAKY);
  let [looks, stood] = [0, 0];
  const elapsed = () => {
    looks++;
    // Taken, asked, passing, paid; and the last look, right before the work.
    if (looks === 5) stood = 100;
    return scheduler.elapsed() + stood;
  };
  const { alarm, afterTurn, afterDelay } = scheduler;
  const halting = { alarm, afterTurn, afterDelay, elapsed };
  const mailing = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler: halting });
  const starts: number[] = [];
  mailing.work(() => void starts.push(scheduler.elapsed()));
  await mailing.submit("letter");
  await scheduler.advance(5000);
  expect(starts).toEqual([500]);
});

test("what is cancelled between the gate and the start does not start", async () => {
  const here = worldOf(LEAKY);
  const mailing = slowToBegin(here, [200]);
  const starts: string[] = [];
  mailing.work(({ data }) => void starts.push(data));
  const { id } = accepted(await mailing.submit("letter"));
  await here.scheduler.advance(100);
  expect(await mailing.cancel(id)).toMatchObject({ state: "cancelled" });
  await here.scheduler.advance(5000);
  expect(starts).toEqual([]);
  expect(await mailing.find(id)).toMatchObject({ state: "cancelled" });
});

test("a queue that hands jobs out too early does not start them early", async () => {
  const { scheduler, clock, limiter, queue } = worldOf(LEAKY);
  const times = new Map<string, number>();
  const early: JobQueue = over(queue, {
    add: (job: NewJob) => {
      times.set(job.id, job.startAt);
      return queue.add({ ...job, startAt: 0, wait: 0 });
    },
    work: (take: TakeJob, options: { concurrency: number }) =>
      queue.work((job) => take({ ...job, startAt: times.get(job.id) as number }), options),
  });
  const mailing = new Deferred<string>({ limiter, limit: "mailing", queue: early, scheduler });
  const delays: number[] = [];
  // The first two times stay empty.
  for (const letter of ["one", "two"]) {
    await mailing.cancel(accepted(await mailing.submit(letter)).id);
    await limiter.settle("mailing", { reserved: 0, used: 1 });
  }
  for (const letter of ["three", "four"]) await mailing.submit(letter);
  mailing.work(({ startAt }) => void delays.push(clock() - startAt));
  await scheduler.advance(5000);
  expect(delays).toEqual([0, 0]);
});

test("while the limiter's store is away nothing starts, and no attempt is counted", async () => {
  const { scheduler, limiter, queue } = worldOf(LEAKY);
  let isAway = false;
  const limit = limiter.limit.bind(limiter) as (...asked: unknown[]) => never;
  const away = () => {
    throw new Error("connection refused");
  };
  limiter.limit = ((...asked: unknown[]) => (isAway ? away() : limit(...asked))) as never;
  const mailing = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler });
  const { id } = accepted(await mailing.submit("letter"));
  isAway = true;
  const starts: number[] = [];
  mailing.work(() => void starts.push(scheduler.elapsed()));
  await scheduler.advance(60_000);
  expect(starts).toEqual([]);
  isAway = false;
  await scheduler.advance(10_000);
  expect(starts).toHaveLength(1);
  expect(await mailing.find(id)).toMatchObject({ state: "done" });
});

test("many jobs that are due at once ask the gate one after the other", async () => {
  const { scheduler, limiter, queue } = worldOf({ ...LEAKY, capacity: 100 });
  let asked = 0;
  const counting = new Proxy(limiter, {
    get(target, name) {
      if (name === "limit") asked++;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
  const mailing = new Deferred<number>({
    limiter: counting,
    limit: "mailing",
    queue,
    scheduler,
    grace: 3_600_000,
  });
  for (let n = 0; n < 60; n++) await mailing.submit(n);
  await scheduler.advance(60_000);
  const starts: number[] = [];
  asked = 0;
  mailing.work(({ data }) => starts.push(data), { concurrency: 60 });
  await scheduler.advance(30_000);
  expect(new Set(starts).size).toBe(60);
  // Each when it is taken, when it is its turn, and when it is let in; those that wait for too long are taken once more.
  expect(asked).toBeLessThan(60 * 10);
});
