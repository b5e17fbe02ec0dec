/** The promises of deferred work, in virtual time: pace, order of nothing, cancelling, ends. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  Deferred,
  type JobQueue,
  memoryQueue,
  type NewJob,
  type Submission,
  type TakeJob,
  type TakenJob,
} from "../../src/deferred/index.ts";
import { type Limit, RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";
import { runs } from "../runs.ts";

const LEAKY = { kind: "leaky bucket", rate: 2, period: 1000, capacity: 4 } as const;
const BUCKET = {
  kind: "token bucket",
  rate: 2,
  period: 1000,
  capacity: 1,
  maxReserved: 3,
} as const;

function worldOf(limit: Limit, attempts = 1) {
  const scheduler = new VirtualScheduler();
  const { clock } = scheduler;
  const limiter = new RateLimiter({ mailing: limit }, { store: memoryStore({ clock }) });
  const queue = memoryQueue({ clock, scheduler, attempts });
  const mailing = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler });
  return { scheduler, clock, began: clock(), limiter, queue, mailing };
}

function accepted(submission: Submission) {
  if (!submission.ok) throw new Error(`refused: ${submission.decision.retryAfter}`);
  return submission.job;
}

test.each([
  ["a leaky bucket", LEAKY],
  ["a token bucket", BUCKET],
])("starts are spaced by %s, and a full line refuses with the wait", async (_, limit) => {
  const { scheduler, clock, began, mailing } = worldOf(limit);
  const starts: number[] = [];
  mailing.work(({ startAt }) => {
    expect(clock()).toBeGreaterThanOrEqual(startAt);
    starts.push(clock() - began);
  });
  const answers = [];
  for (let n = 0; n < 5; n++) answers.push(await mailing.submit(`${n}`));
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true, false]);
  expect(answers.slice(0, 4).map((each) => accepted(each).wait)).toEqual([0, 500, 1000, 1500]);
  expect(answers[4]).toMatchObject({ ok: false, decision: { reason: "limited", retryAfter: 500 } });
  await scheduler.advance(5000);
  expect(starts).toEqual([0, 500, 1000, 1500]);
});

test("a job is queued, running and done, and says what came of it", async () => {
  const { scheduler, mailing } = worldOf(LEAKY);
  const { promise, resolve } = Promise.withResolvers<string>();
  await mailing.submit("first");
  const { id } = accepted(await mailing.submit("second"));
  mailing.work(({ data }) => (data === "second" ? promise : undefined));
  expect(await mailing.find(id)).toMatchObject({ state: "queued", wait: 500 });
  await scheduler.advance(500);
  expect(await mailing.find(id)).toMatchObject({ state: "running", wait: 0, result: undefined });
  resolve("sent");
  await scheduler.advance(0);
  expect(await mailing.find(id)).toMatchObject({ state: "done", result: "sent" });
});

test("what fails is tried again, with a start of its own", async () => {
  const { scheduler, clock, began, mailing } = worldOf(LEAKY, 3);
  const starts: string[] = [];
  const { id } = accepted(await mailing.submit("bad"));
  await mailing.submit("good");
  await mailing.submit("fine");
  mailing.work(({ data }) => {
    starts.push(`${data} at ${clock() - began}`);
    if (data === "bad") throw new Error("no such address");
  });
  await scheduler.advance(100);
  // Behind those who have waited all the time.
  expect(await mailing.find(id)).toMatchObject({ state: "queued", wait: 1400 });
  await scheduler.advance(10_000);
  const inLine = ["bad at 0", "good at 500", "fine at 1000", "bad at 1500", "bad at 2000"];
  expect(starts).toEqual(inLine);
  expect(await mailing.find(id)).toMatchObject({ state: "failed", error: "no such address" });
});

test.each([
  ["a leaky bucket", LEAKY],
  ["a token bucket", BUCKET],
])("what is cancelled under %s gives its units back, once", async (_, limit) => {
  const { scheduler, mailing } = worldOf(limit);
  const jobs = [];
  for (let n = 0; n < 4; n++) jobs.push(accepted(await mailing.submit(`${n}`)));
  expect((await mailing.submit("full")).ok).toBe(false);
  const third = jobs[2]?.id ?? "";
  expect(await mailing.cancel(third)).toMatchObject({ state: "cancelled" });
  expect(await mailing.cancel(third)).toMatchObject({ state: "cancelled" });
  expect(accepted(await mailing.submit("instead")).wait).toBe(1500);
  expect((await mailing.submit("full")).ok).toBe(false);
  const done: string[] = [];
  const starts: number[] = [];
  mailing.work(({ data }) => {
    done.push(data);
    starts.push(scheduler.elapsed());
  });
  await scheduler.advance(10_000);
  expect(done).toEqual(["0", "1", "3", "instead"]);
  expect(starts).toEqual([0, 500, 1500, 2000]);
  expect(await mailing.cancel(jobs[0]?.id ?? "")).toMatchObject({ state: "done" });
  expect(await mailing.cancel("nonsense")).toBeUndefined();
});

test("the same id is reserved and queued once, also when it is asked for at once", async () => {
  const { mailing, limiter } = worldOf(LEAKY);
  const id = "6f1dd2f0-7c1e-4c8e-9d3a-0d6b5a4f1c2e";
  const answers = await Promise.all([1, 2, 3].map((n) => mailing.submit(`${n}`, { id })));
  expect(new Set(answers.map((each) => accepted(each).startAt)).size).toBe(1);
  await mailing.submit("again", { id });
  expect(limiter.value("mailing").remaining).toBe(3);
});

test("work that throws what is no error, nor text, has failed", async () => {
  const { scheduler, mailing } = worldOf(LEAKY);
  mailing.work(() => {
    throw Object.create(null);
  });
  const { id } = accepted(await mailing.submit("letter"));
  await scheduler.advance(100);
  expect(await mailing.find(id)).toMatchObject({ state: "failed", error: "an object" });
});

test("a thousand who ask for one job at once have it, though the line has four places", async () => {
  const { mailing, limiter } = worldOf(LEAKY);
  const id = "6f1dd2f0-7c1e-4c8e-9d3a-0d6b5a4f1c2e";
  const all = Array.from({ length: 1000 }, () => mailing.submit("letter", { id }));
  expect(new Set((await Promise.all(all)).map((each) => accepted(each).startAt)).size).toBe(1);
  expect(limiter.value("mailing").remaining).toBe(3);
});

test("the last place in the line, taken by another process, is both of theirs who ask for one job", async () => {
  const { mailing, limiter, queue, scheduler } = worldOf({ ...LEAKY, capacity: 1 });
  const other = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler });
  const id = "6f1dd2f0-7c1e-4c8e-9d3a-0d6b5a4f1c2e";
  const { find } = queue;
  let first: Promise<Submission> | undefined;
  // It is not there when it is looked for, and is queued before the line is asked.
  queue.find = async (asked) => {
    const found = await find.call(queue, asked);
    queue.find = find;
    first = other.submit("letter", { id });
    await first;
    return found;
  };
  const second = accepted(await mailing.submit("letter", { id }));
  expect(second.startAt).toBe(accepted((await first) as Submission).startAt);
});

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

test("whatever is asked, cancelled and failed, starts keep their distance and nothing is lost", async () => {
  const step = fc.record({
    pause: fc.nat(1500),
    what: fc.constantFrom("submit", "submit", "submit", "cancel", "fail", "slow"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), story),
    { numRuns: runs(60) },
  );
});

async function story(
  steps: readonly { readonly pause: number; readonly what: string }[],
  rate: number,
): Promise<void> {
  const { scheduler, clock, mailing } = worldOf({ ...LEAKY, rate, capacity: 5 }, 2);
  const starts: number[] = [];
  const running = new Set<string>();
  const worker = mailing.work(
    async ({ id, data, startAt }) => {
      expect(running.has(id)).toBe(false);
      running.add(id);
      starts.push(clock());
      expect(clock()).toBeGreaterThanOrEqual(startAt);
      if (data === "slow") await scheduler.sleep(2500);
      running.delete(id);
      if (data === "fail") throw new Error("failed");
    },
    { concurrency: 3 },
  );
  const ids: string[] = [];
  for (const { pause, what } of steps) {
    if (what === "cancel") await mailing.cancel(ids.at(-1) ?? "");
    else {
      const answer = await mailing.submit(what);
      if (answer.ok) ids.push(answer.job.id);
    }
    await scheduler.advance(pause);
  }
  await scheduler.advance(120_000);
  const spacing = Math.floor(1000 / rate);
  for (const [n, start] of starts.slice(1).entries()) {
    expect(start - (starts[n] as number)).toBeGreaterThanOrEqual(spacing);
  }
  const jobs = await Promise.all(ids.map((id) => mailing.find(id)));
  const over = jobs.filter((job) => ["done", "failed", "cancelled"].includes(job?.state ?? ""));
  expect(over.length).toBe(ids.length);
  await worker.close();
}

test("data is what it was when it was submitted, on each attempt", async () => {
  const { scheduler, limiter, queue } = worldOf(LEAKY, 2);
  const mailing = new Deferred<{ to: string }>({ limiter, limit: "mailing", queue, scheduler });
  const seen: string[] = [];
  const mail = { to: "" };
  const asking = ["ada", "bob"].map((to) => {
    mail.to = to;
    return mailing.submit(mail);
  });
  await Promise.all(asking);
  mailing.work(({ data }) => {
    seen.push(data.to);
    data.to = "nobody";
    throw new Error("once more");
  });
  await scheduler.advance(5000);
  expect(seen.sort()).toEqual(["ada", "ada", "bob", "bob"]);
});

test("a clock that is set back by an hour holds no work up", async () => {
  const { scheduler, clock } = worldOf(LEAKY);
  let setBack = 0;
  const wrong = () => clock() - setBack;
  const limiter = new RateLimiter({ mailing: LEAKY }, { store: memoryStore({ clock: wrong }) });
  const queue = memoryQueue({ clock: wrong, scheduler });
  const mailing = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler });
  const began = clock();
  const starts: number[] = [];
  mailing.work(() => starts.push(clock() - began));
  for (let n = 0; n < 4; n++) await mailing.submit(`${n}`);
  await scheduler.advance(100);
  setBack = 3_600_000;
  await scheduler.advance(5000);
  // The limiter's own clock went back as well, in the middle of a distance: that one begins anew.
  expect(starts).toEqual([0, 1000, 1500, 2000]);
});

test("the runtime's own functions take the signal", async () => {
  const { scheduler, mailing } = worldOf(LEAKY);
  const { id } = accepted(await mailing.submit("first"));
  mailing.work(({ signal }) => AbortSignal.any([signal]).aborted);
  await scheduler.advance(0);
  expect(await mailing.find(id)).toMatchObject({ state: "done", result: false });
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
