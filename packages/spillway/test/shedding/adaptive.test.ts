import { expect, test } from "vitest";
import type { Admission, CapSample } from "../../src/shedding/index.ts";
import { ask, busy, drown, fresh } from "./adaptive-scene.ts";

test("while there is room work starts at once, and its end is told once", () => {
  const all = fresh();
  const { answer } = ask(all, { priority: "low", cohort: "a" });
  expect(answer).toMatchObject({ ok: true, limit: "adaptive", priority: "low", retryAfter: 0 });
  expect(all.shedder.stats()).toMatchObject({ inFlight: 1, waiting: 0, share: 1 });
  answer?.done();
  answer?.done("failed");
  answer?.[Symbol.dispose]();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, admitted: { low: 1 } });
});

test("a using block tells that work failed, unless it was told before", () => {
  const samples: CapSample[] = [];
  const cap = { cap: 4, learn: (sample: CapSample) => samples.push(sample), backOff: () => {} };
  const all = fresh({ cap });
  const end = (isTold: boolean) => {
    using answer = ask(all).answer as Admission;
    if (isTold) answer.done();
  };
  end(false);
  expect([samples.length, all.shedder.stats().inFlight]).toEqual([0, 0]);
  end(true);
  expect([samples.length, all.shedder.stats().inFlight]).toEqual([1, 0]);
});

test("what is beyond the cap waits, the most important first, and starts when something ends", async () => {
  const all = busy();
  const low = ask(all, { priority: "low" });
  const critical = ask(all, { priority: "critical" });
  await all.scheduler.turn();
  expect([low.answer, critical.answer]).toEqual([undefined, undefined]);
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, waiting: 2 });
  all.inFlight[0]?.answer?.done();
  await all.scheduler.turn();
  expect(critical.answer?.ok).toBe(true);
  expect(low.answer).toBeUndefined();
  critical.answer?.done();
  await all.scheduler.turn();
  expect(low.answer?.ok).toBe(true);
});

test("in a turn that has been busy for long, work waits for what else is to be heard", async () => {
  const all = fresh({ slice: 10 });
  expect(ask(all).answer?.ok).toBe(true);
  all.scheduler.burn(10);
  const low = ask(all, { priority: "low" });
  const normal = ask(all);
  expect(all.shedder.stats().waiting).toBe(2);
  await all.scheduler.turn();
  await all.scheduler.turn();
  // A connection that was accepted in the last turn is read in the next.
  expect(all.shedder.stats().waiting).toBe(2);
  await all.scheduler.turn();
  expect([low.answer?.ok, normal.answer?.ok]).toEqual([true, true]);
  expect(ask(all).answer?.ok).toBe(true);
});

test("work whose deadline passed is not started", async () => {
  const all = busy();
  const late = ask(all, { deadline: 50 });
  await all.scheduler.advance(100);
  expect(late.answer).toMatchObject({ ok: false, reason: "shed", limit: "adaptive" });
  expect(late.answer?.retryAfter).toBeGreaterThan(0);
  expect(all.events).toContainEqual(expect.objectContaining({ type: "shed", cause: "late" }));
  late.answer?.done();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, shed: { normal: 1 } });
});

test("work is refused when its deadline passes, not when others are looked after", async () => {
  const all = busy();
  const patient = ask(all);
  const hasty = ask(all, { deadline: 20 });
  await all.scheduler.advance(19);
  expect(hasty.answer).toBeUndefined();
  await all.scheduler.advance(1);
  expect(hasty.answer?.ok).toBe(false);
  const hastier = ask(all, { deadline: 10.5 });
  await all.scheduler.advance(11);
  expect(hastier.answer?.ok).toBe(false);
  expect(patient.answer).toBeUndefined();
});

test("work that stands by is not started when it is late", async () => {
  const all = busy();
  await drown(all);
  // Even of what is critical only a part stays: this stands by.
  expect(all.shedder.stats().shed.critical).toBeGreaterThan(0);
  const late = ask(all, { priority: "background", deadline: 20 });
  expect(late.answer).toBeUndefined();
  all.scheduler.burn(60);
  for (const { answer } of all.inFlight) answer?.done();
  await all.scheduler.turn();
  expect(late.answer?.ok).toBe(false);
  expect(all.events).toContainEqual(
    expect.objectContaining({ priority: "background", cause: "late" }),
  );
});

test("what stood by in vain is no sign that too much is let in", async () => {
  const all = busy();
  let critical = [...all.inFlight, ...(await drown(all))];
  await all.scheduler.advance(1000);
  const { share } = all.shedder.stats();
  for (let step = 0; step < 60; step++) {
    // What is critical takes all there is, but waits for nothing.
    for (const { answer } of critical) answer?.done();
    critical = Array.from({ length: 4 }, () => ask(all, { priority: "critical" }));
    ask(all, { priority: "background" });
    await all.scheduler.advance(100);
  }
  expect(all.events).toContainEqual(
    expect.objectContaining({ priority: "background", cause: "share" }),
  );
  expect(all.shedder.stats().share).toBeGreaterThan(share);
});

test("no more waits than may, for it is memory", async () => {
  const all = busy({ maxWaiting: 2 });
  const waiting = [ask(all), ask(all)];
  expect(ask(all).answer).toMatchObject({ ok: false });
  expect(all.events).toContainEqual(expect.objectContaining({ type: "shed", cause: "full" }));
  expect(waiting.map(({ answer }) => answer)).toEqual([undefined, undefined]);
  expect(ask(all, { priority: "critical" }).answer).toBeUndefined();
  await all.scheduler.turn();
  expect(waiting[0]?.answer?.ok).toBe(false);
  expect(all.shedder.stats().waiting).toBe(2);
});

test("a number is a cap that stays what it is", async () => {
  const all = fresh({ cap: 2, gate: () => 1.5 });
  const inFlight = [ask(all), ask(all)];
  expect(inFlight.map(({ answer }) => answer?.ok)).toEqual([true, true]);
  expect(ask(all).answer).toBeUndefined();
  await all.scheduler.advance(2000);
  ask(all);
  expect(all.shedder.stats().capacity).toBe(2);
});

test("a cap that fails stays what it was, stops nobody, and is reported once", async () => {
  let told: unknown = 4;
  const fail = () => {
    throw new Error("not now");
  };
  const cap = {
    get cap() {
      if (told === "throw") fail();
      return told as number;
    },
    learn: fail,
    backOff: fail,
  };
  const all = fresh({ cap, gate: () => 1.5 });
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 0, 0.5, "9", "throw"]) {
    told = bad;
    expect(all.shedder.stats().capacity).toBe(4);
  }
  const inFlight = Array.from({ length: 4 }, () => ask(all));
  expect(ask(all).answer).toBeUndefined();
  for (const { answer } of inFlight) answer?.done();
  await all.scheduler.advance(5000);
  ask(all).answer?.done();
  expect(all.events).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ type: "signal failed" })),
  );
  told = 7;
  expect(all.shedder.stats().capacity).toBe(7);
  told = -1;
  expect(all.shedder.stats().capacity).toBe(7);
  expect(all.events).toHaveLength(5);
});

test("a health check is admitted whatever happens, and counted nowhere", () => {
  const all = busy();
  const { answer } = ask(all, { exempt: true });
  expect(answer?.ok).toBe(true);
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, admitted: { normal: 4 } });
  answer?.done();
  expect(all.shedder.stats().inFlight).toBe(4);
});

test("where too much waits, what matters less goes for what matters more", async () => {
  const all = busy({ maxWaiting: 2 });
  const [background, low] = (["background", "low"] as const).map((priority) =>
    ask(all, { priority }),
  );
  const normal = ask(all);
  expect(ask(all, { priority: "low" }).answer).toMatchObject({ ok: false, reason: "shed" });
  await all.scheduler.turn();
  expect(background?.answer?.ok).toBe(false);
  expect([low?.answer, normal.answer]).toEqual([undefined, undefined]);
  expect(all.shedder.stats()).toMatchObject({ waiting: 2, shed: { low: 1, background: 1 } });
});
