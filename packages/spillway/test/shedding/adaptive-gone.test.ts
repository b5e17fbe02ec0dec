import { expect, test } from "vitest";
import { ask, busy, fresh } from "./adaptive-scene.ts";

test("work whose client has gone is withdrawn while it waits, and is not started", async () => {
  const all = busy();
  const controllers = Array.from({ length: 3 }, () => new AbortController());
  const [first, second] = controllers.map(({ signal }) => ask(all, { signal }));
  controllers[2]?.abort();
  expect(ask(all, { signal: controllers[2]?.signal as AbortSignal }).answer?.ok).toBe(false);
  controllers[0]?.abort();
  await all.scheduler.turn();
  expect(first?.answer).toMatchObject({ ok: false, reason: "shed" });
  expect(all.shedder.stats()).toMatchObject({ waiting: 1, shed: { normal: 3 } });
  expect(all.events).toContainEqual(expect.objectContaining({ cause: "withdrawn" }));
  all.inFlight[0]?.answer?.done();
  await all.scheduler.turn();
  expect(second?.answer?.ok).toBe(true);
  // What has begun is its handler's.
  controllers[1]?.abort();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 4, waiting: 0, shed: { normal: 3 } });
});

test("clients who give up show an overload as deadlines do", async () => {
  const all = busy();
  for (let step = 0; step < 40; step++) {
    const controller = new AbortController();
    for (let each = 0; each < 3; each++) ask(all, { signal: controller.signal });
    await all.scheduler.advance(100);
    controller.abort();
    await all.scheduler.turn();
  }
  expect(all.events.map(({ type }) => type)).toContain("overloaded");
  expect(all.shedder.stats().share).toBeLessThan(1);
});

test("a deadline that has passed is no time at all, not for ever", async () => {
  const all = busy();
  const late = ask(all, { deadline: -5 });
  await all.scheduler.turn();
  expect(late.answer?.ok).toBe(false);
  expect(all.events).toContainEqual(expect.objectContaining({ cause: "late" }));
});

test("a deadline that has passed is refused at once, even if there is room", () => {
  for (const deadline of [0, -5]) {
    const all = fresh();
    expect(ask(all, { deadline }).answer?.ok).toBe(false);
    expect(all.shedder.stats()).toMatchObject({ inFlight: 0, shed: { normal: 1 } });
    expect(all.events).toContainEqual(expect.objectContaining({ cause: "late" }));
  }
});

test("however much waits, it can be refused", async () => {
  const all = busy({ maxWaiting: 1_000_000 });
  for (let each = 0; each < 200_000; each++) all.shedder.admit();
  all.scheduler.burn(700);
  await all.scheduler.advance(100);
  expect(all.shedder.stats()).toMatchObject({ waiting: 0, shed: { normal: 200_000 } });
});

test("a signal has one listener, however many wait for it, and none afterwards", async () => {
  const all = busy();
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    reason: undefined,
    addEventListener: (_: "abort", listener: () => void) => listeners.add(listener),
    removeEventListener: (_: "abort", listener: () => void) => listeners.delete(listener),
  };
  const waiting = Array.from({ length: 3 }, () => ask(all, { signal }));
  expect(listeners.size).toBe(1);
  all.inFlight[0]?.answer?.done();
  await all.scheduler.turn();
  expect(waiting.filter(({ answer }) => answer?.ok)).toHaveLength(1);
  expect(listeners.size).toBe(1);
  signal.aborted = true;
  for (const listener of [...listeners]) listener();
  await all.scheduler.turn();
  expect(waiting.map(({ answer }) => answer?.ok).sort()).toEqual([false, false, true]);
  expect(listeners.size).toBe(0);
});

test("those who withdraw together do so in slices, and none of them is started meanwhile", async () => {
  const all = busy();
  const controller = new AbortController();
  for (let each = 0; each < 1000; each++) all.shedder.admit({ signal: controller.signal });
  controller.abort();
  expect(all.shedder.stats()).toMatchObject({ waiting: 750, shed: { normal: 250 } });
  all.inFlight[0]?.answer?.done();
  for (let turn = 0; turn < 4; turn++) await all.scheduler.turn();
  expect(all.shedder.stats()).toMatchObject({ waiting: 0, inFlight: 3, shed: { normal: 1000 } });
});
