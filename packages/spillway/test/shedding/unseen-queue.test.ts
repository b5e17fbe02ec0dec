import { expect, test } from "vitest";
import { LEVELS } from "../../src/shedding/cohorts.ts";
import { Overload } from "../../src/shedding/estimators/overload.ts";
import { UnseenQueue } from "../../src/shedding/estimators/unseen-queue.ts";
import { seededRandom } from "../../src/testing/index.ts";

test("less is let in while the loop is never idle for long, and more again, slowly", () => {
  const queue = new UnseenQueue();
  for (let window = 0; window < 3; window++) queue.learn(1, false);
  expect(queue.share).toBe(1);
  queue.learn(1, false);
  expect(queue.share).toBeCloseTo(0.8, 10);
  queue.learn(1, false);
  expect(queue.share).toBeCloseTo(0.64, 10);
  // Between the two it stays, and one that is full is enough from then on.
  queue.learn(0.97, false);
  expect(queue.share).toBeCloseTo(0.64, 10);
  queue.learn(1, false);
  expect(queue.share).toBeCloseTo(0.512, 10);
  queue.learn(0.9, false);
  expect(queue.share).toBeCloseTo(0.512 * 1.05, 10);
  for (let window = 0; window < 20; window++) queue.learn(0.9, false);
  expect(queue.share).toBe(1);
});

test("a queue that is seen, a loop of which nothing is known, and chance are none", () => {
  const queue = new UnseenQueue();
  for (let window = 0; window < 20; window++) queue.learn(1, true);
  for (let window = 0; window < 20; window++) queue.learn(undefined, false);
  for (let window = 0; window < 20; window++) queue.learn(window % 4 === 3 ? 0.98 : 1, false);
  expect(queue.share).toBe(1);
});

test("something is let in however full it is, and all after a silence", () => {
  const queue = new UnseenQueue();
  for (let window = 0; window < 100; window++) queue.learn(1, false);
  expect(queue.share).toBeGreaterThan(0);
  queue.forget();
  expect(queue.share).toBe(1);
});

test("an overload that can't be seen cuts what is let in", () => {
  const overload = new Overload({ window: 1000, started: 0, random: seededRandom(1) });
  for (let now = 1000; now <= 8000; now += 1000) {
    for (let level = 0; level < LEVELS; level++) overload.asked(level);
    const calm = { delay: 0, isStanding: false, isPressed: true };
    overload.endWindow({ now, ...calm, utilization: 1 });
  }
  expect([overload.isOn, overload.isUnseen]).toEqual([false, true]);
  expect(overload.share).toBeCloseTo(0.8 ** 5, 10);
  expect(overload.admits(0)).toBe(true);
  expect(overload.admits(LEVELS - 1)).toBe(false);
  overload.forget(8000);
  expect([overload.isUnseen, overload.admits(LEVELS - 1)]).toEqual([false, true]);
});
