import { expect, test } from "vitest";
import { type CapSample, PRIORITIES } from "../../src/shedding/index.ts";
import { ask, busy, fresh } from "./adaptive-scene.ts";

test("in shadow it starts all work at once, and tells what it would have refused", async () => {
  const all = busy({ shadow: true });
  for (let step = 0; step < 30; step++) {
    for (const priority of PRIORITIES) expect(ask(all, { priority }).answer?.ok).toBe(true);
    await all.scheduler.advance(100);
  }
  expect(all.shedder.stats().shed.background).toBeGreaterThan(0);
  expect(all.events).toContainEqual(
    expect.objectContaining({ type: "shed", priority: "background", shadow: true }),
  );
});

test("in shadow, work that is over before its turn came is counted as it would have been", async () => {
  const all = busy({ shadow: true });
  const waiting = ask(all);
  waiting.answer?.done();
  for (const { answer } of all.inFlight) answer?.done();
  await all.scheduler.advance(1000);
  expect(all.shedder.stats()).toMatchObject({ inFlight: 0, waiting: 0, admitted: { normal: 5 } });
});

test("a listener that throws or rejects changes nothing", async () => {
  const all = busy({
    maxWaiting: 1,
    onEvent: () => {
      throw new Error("not here");
    },
  });
  ask(all);
  expect(ask(all).answer?.ok).toBe(false);
  const other = busy({ maxWaiting: 1, onEvent: () => Promise.reject(new Error("nor here")) });
  ask(other);
  expect(ask(other).answer?.ok).toBe(false);
});

test("in shadow, what ends before its turn came teaches nothing", async () => {
  const samples: CapSample[] = [];
  const cap = { cap: 1, learn: (sample: CapSample) => samples.push(sample), backOff: () => {} };
  const all = fresh({ cap, shadow: true });
  const [first, second] = [ask(all), ask(all)];
  await all.scheduler.advance(50);
  second.answer?.done();
  first.answer?.done();
  await all.scheduler.advance(50);
  expect(samples.map(({ started, ended }) => ended - started)).toEqual([50]);
});

test("what a listener causes itself is counted, and not reported without end", () => {
  let calls = 0;
  const onEvent = () => {
    calls++;
    ask(all);
  };
  const all = busy({ maxWaiting: 1, onEvent });
  ask(all);
  expect(ask(all).answer?.ok).toBe(false);
  expect(calls).toBe(1);
  expect(all.shedder.stats().shed.normal).toBe(2);
});

test("a clock that fails changes nobody's answer, and is reported", () => {
  for (const now of [() => Number.NaN, () => fail()]) {
    const all = fresh({ clock: now });
    expect(ask(all, { cohort: "a" }).answer?.ok).toBe(true);
    expect(ask(all, { cohort: "a" }).answer?.ok).toBe(true);
    expect(all.events.map(({ type }) => type)).toEqual(["signal failed"]);
  }
  function fail(): never {
    throw new Error("no time");
  }
});
