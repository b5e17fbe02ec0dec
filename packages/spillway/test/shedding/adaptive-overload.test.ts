import { expect, test } from "vitest";
import type { CapSample } from "../../src/shedding/index.ts";
import { ask, busy, drown, fresh } from "./adaptive-scene.ts";

test("where work waits for long it refuses, the least important first, and tells when it begins", async () => {
  const all = busy();
  await drown(all);
  const { shed } = all.shedder.stats();
  expect(shed.background).toBeGreaterThan(0);
  expect(shed.background).toBeGreaterThanOrEqual(shed.low);
  expect(shed.low).toBeGreaterThanOrEqual(shed.normal);
  expect(all.events.filter(({ type }) => type === "overloaded")).toHaveLength(1);
});

test("while its gate is cold and its cap not reached, nothing is refused", async () => {
  const cold = fresh({ gate: () => 0.5, slice: 0.1 });
  ask(cold);
  for (let step = 0; step < 50; step++) {
    cold.scheduler.burn(20);
    ask(cold, { priority: "background" });
  }
  await cold.scheduler.turn();
  expect(Object.values(cold.shedder.stats().shed)).toEqual([0, 0, 0, 0]);
});

test("a signal that fails sheds nobody, and is reported once", async () => {
  const gates = [
    () => Number.NaN,
    () => {
      throw new Error("no such file");
    },
    () => "busy" as never,
  ];
  for (const gate of gates) {
    const all = fresh({ gate });
    for (let step = 0; step < 50; step++) {
      ask(all, { priority: "background" }).answer?.done();
      await all.scheduler.advance(100);
    }
    expect(all.shedder.stats()).toMatchObject({ shed: { background: 0 }, share: 1 });
    expect(all.events.map(({ type }) => type)).toEqual(["signal failed"]);
  }
});

test("where nobody knows whether the process is busy, what waits for long tells", async () => {
  const all = fresh({ gate: () => undefined, slice: 0.1 });
  ask(all);
  for (let step = 0; step < 100; step++) {
    // Each turn is too busy for what comes: it waits, and more comes than has its turn.
    for (let each = 0; each < 3; each++) {
      all.scheduler.burn(20);
      ask(all, { priority: "background" });
    }
    await all.scheduler.turn();
  }
  expect(all.shedder.stats().shed.background).toBeGreaterThan(0);
});

test("after a silence an overload is over", async () => {
  const all = busy();
  const asked = await drown(all);
  expect(all.shedder.stats().share).toBeLessThan(1);
  await all.scheduler.advance(1000);
  for (const { answer } of [...all.inFlight, ...asked]) answer?.done();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, waiting: 0 });
  all.scheduler.burn(8 * 3_600_000);
  expect(ask(all, { priority: "background" }).answer?.ok).toBe(true);
  expect(all.shedder.stats().share).toBe(1);
  expect(all.events.at(-1)).toMatchObject({ type: "recovered" });
});

test("a gate above 1 lets less into flight", async () => {
  const all = fresh({ gate: () => 1.5 });
  for (let step = 0; step < 100; step++) {
    ask(all).answer?.done();
    await all.scheduler.advance(100);
  }
  expect(all.shedder.stats().capacity).toBeLessThan(32);
});

test("its own refusals, and work that failed, teach it nothing of latency", async () => {
  const samples: number[] = [];
  const cap = { cap: 4, learn: () => samples.push(1), backOff: () => {} };
  const all = fresh({ cap });
  const inFlight = Array.from({ length: 4 }, () => ask(all));
  // Not so long that it would be taken for a stream.
  await drown(all, 0.9);
  expect(all.shedder.stats().shed.background).toBeGreaterThan(0);
  expect(samples).toEqual([]);
  inFlight[0]?.answer?.done("failed");
  expect(samples).toEqual([]);
  inFlight[1]?.answer?.done("served");
  expect(samples).toEqual([1]);
});

test("what a gate or a cap promises ends no process", async () => {
  const reject = () => Promise.reject(new Error("not now")) as never;
  const all = fresh({ gate: reject, cap: { cap: 4, learn: reject, backOff: reject } });
  for (let step = 0; step < 30; step++) {
    ask(all).answer?.done();
    await all.scheduler.advance(100);
  }
  expect(all.events.map(({ type }) => type)).toEqual(["signal failed"]);
});

test("a stream that is announced is not in flight, and its time teaches nothing", () => {
  const samples: CapSample[] = [];
  const cap = { cap: 4, learn: (sample: CapSample) => samples.push(sample), backOff: () => {} };
  const all = fresh({ cap });
  ask(all).answer?.done("streaming");
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, held: 0, admitted: { normal: 1 } });
  expect(samples).toEqual([]);
});

test("responses that are held open shut nobody out, be they begun one by one or together", async () => {
  const all = fresh({ gate: () => 0.2, least: 4, most: 4 });
  const streams = Array.from({ length: 4 }, () => ask(all));
  expect(streams.every(({ answer }) => answer?.ok)).toBe(true);
  await all.scheduler.advance(900);
  // While they could be work like any other, what comes has to wait.
  const first = ask(all, { priority: "low" });
  await all.scheduler.advance(250);
  expect(first.answer?.ok).toBe(true);
  first.answer?.done();
  for (let each = 0; each < 100; each++) {
    const asked = ask(all);
    await all.scheduler.advance(20);
    expect(asked.answer?.ok).toBe(true);
    asked.answer?.done();
  }
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, held: 4, waiting: 0 });
  for (const { answer } of streams) answer?.done();
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, held: 0 });
});

test("a database that hangs gets little more to do, however long it does", async () => {
  const all = busy();
  for (let step = 0; step < 100; step++) {
    ask(all);
    await all.scheduler.advance(100);
  }
  const { inFlight, held, waiting } = all.shedder.stats();
  // One every tenth of a second, once nothing has ended for one.
  expect([inFlight, held >= 85, held <= 91]).toEqual([4, true, true]);
  expect(waiting).toBeLessThan(10);
});

test("held work keeps its places where their number is known, and what comes has the rest", async () => {
  const places = { most: 6 };
  const all = busy({ mostWithHeld: () => places.most });
  await all.scheduler.advance(1000);
  const more = Array.from({ length: 4 }, () => ask(all, { priority: "low" }));
  const critical = ask(all, { priority: "critical" });
  await all.scheduler.advance(400);
  const { inFlight, held } = all.shedder.stats();
  expect(inFlight + held).toBe(6);
  expect(critical.answer?.ok).toBe(true);
  expect(more.filter(({ answer }) => answer?.ok)).toHaveLength(1);
  places.most = 7;
  const last = ask(all, { priority: "critical" });
  await all.scheduler.advance(100);
  expect(last.answer?.ok).toBe(true);
});

test("a bound for held work that has no value, or fails, bounds nothing", async () => {
  const bounds = [
    () => undefined,
    () => Number.NaN,
    () => {
      throw new Error("no pool");
    },
  ];
  for (const mostWithHeld of bounds) expect(ask(fresh({ mostWithHeld })).answer?.ok).toBe(true);
  expect(() => fresh({ mostWithHeld: 5 as never })).toThrow("mostWithHeld");
});
