import { expect, test } from "vitest";
import { eventLoopDelay } from "../../../src/shedding/signals/event-loop-delay.ts";
import { manualTimers } from "./manual-timers.ts";

test("delay is what all but 1 % of a window's moments stay within", () => {
  const timers = manualTimers();
  const delay = eventLoopDelay({ limit: 100 }, timers);
  timers.idle(1000);
  expect(delay()).toBe(0);
  timers.idle(690);
  timers.block(310);
  timers.turn();
  // The timer was 300 ms late, and 1 % of a second is 10 ms.
  expect(delay()).toBeCloseTo(2.9);
  // Of five blocks of 30 ms each, 20 ms late, 2 ms are within the 1 %.
  for (let block = 0; block < 5; block++) {
    timers.idle(170);
    timers.block(30);
    timers.turn();
  }
  expect(delay()).toBeCloseTo(0.18);
  timers.idle(5000);
  timers.block(50);
  timers.turn();
  expect(delay()).toBe(0);
});

test("a delay that is still going on counts, and each of its moments once", () => {
  const timers = manualTimers();
  const delay = eventLoopDelay({ limit: 100 }, timers);
  timers.block(1010);
  expect(delay()).toBeCloseTo((1000 - 10.1) / 100);
  timers.block(500);
  expect(delay()).toBeCloseTo((500 - 5) / 100);
  timers.turn();
  timers.idle(1000);
  expect(delay()).toBe(0);
  timers.idle(5);
  expect([delay(), delay()]).toEqual([undefined, undefined]);
});

test("watching for delay rests when nobody reads, and begins anew with a read", () => {
  const timers = manualTimers();
  const delay = eventLoopDelay({ limit: 100 }, timers);
  timers.idle(59_999);
  expect(timers.pending()).toBe(1);
  timers.idle(3_600_000);
  expect(timers.pending()).toBe(0);
  timers.block(500);
  expect(delay()).toBeUndefined();
  timers.block(110);
  expect(delay()).toBeCloseTo((100 - 1.1) / 100);
  expect(timers.pending()).toBe(1);
});
