import { expect, test } from "vitest";
import { Deferred, memoryQueue } from "../../src/deferred/index.ts";
import { RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { accepted, BUCKET, LEAKY, worldOf } from "./memory-world.ts";

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

test("work that throws what is no error, nor text, has failed", async () => {
  const { scheduler, mailing } = worldOf(LEAKY);
  mailing.work(() => {
    throw Object.create(null);
  });
  const { id } = accepted(await mailing.submit("letter"));
  await scheduler.advance(100);
  expect(await mailing.find(id)).toMatchObject({ state: "failed", error: "an object" });
});

test("work that throws what can't be read has failed, and others go on", async () => {
  const { scheduler, mailing } = worldOf(LEAKY);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  mailing.work(({ data }) => {
    if (data === "bad") throw proxy;
  });
  const [bad, good] = [
    accepted(await mailing.submit("bad")),
    accepted(await mailing.submit("good")),
  ];
  await scheduler.advance(10_000);
  const error = "an error that can't be read";
  expect(await mailing.find(bad.id)).toMatchObject({ state: "failed", error });
  expect(await mailing.find(good.id)).toMatchObject({ state: "done" });
});

test("a promise is no data: who forgot to await it is told so", async () => {
  const { mailing } = worldOf(LEAKY);
  const asked = mailing.submit(Promise.resolve("ada") as never);
  await expect(asked).rejects.toMatchObject({ code: "bad-job", field: "data" });
  expect(accepted(await mailing.submit("ada")).wait).toBe(0);
});

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
