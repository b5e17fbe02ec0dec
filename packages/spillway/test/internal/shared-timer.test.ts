/** Many calls by one timer. The runtime's timers are virtual, its turns are real. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SharedTimer } from "../../src/internal/shared-timer.ts";
import { alarm } from "../../src/limits/core/index.ts";

/** Calls in one turn of the event loop, at most. */
const MOST_IN_TURN = 250;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A shared timer, and how often it had the runtime's started. */
function counted() {
  const start = vi.fn(alarm);
  return { start, timer: new SharedTimer(start) };
}

test("is started once for many calls that come later than the first", () => {
  const { start, timer } = counted();
  for (let ms = 10; ms < 1010; ms++) timer.after(ms, () => {});
  expect(start).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(1);
});

test("is started anew for one that comes before them", async () => {
  const { timer } = counted();
  const made: number[] = [];
  for (const ms of [30, 10, 20]) timer.after(ms, () => made.push(ms));
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(9);
  expect(made).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(made).toEqual([10]);
  await vi.advanceTimersByTimeAsync(20);
  expect(made).toEqual([10, 20, 30]);
  expect(vi.getTimerCount()).toBe(0);
});

test("is not left running for calls that were cancelled", async () => {
  const { timer } = counted();
  const call = vi.fn();
  const entries = [5, 10].map((ms) => timer.after(ms, call));
  for (const entry of entries) timer.cancel(entry);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(call).not.toHaveBeenCalled();
});

test("makes calls that were scheduled by those it makes, and those after one that throws", () => {
  const { timer } = counted();
  const made: string[] = [];
  timer.after(1, () => {
    timer.after(1, () => made.push("scheduled meanwhile"));
    throw new Error("a call that fails");
  });
  timer.after(1, () => made.push("after it"));
  expect(() => vi.advanceTimersByTime(1)).toThrow("a call that fails");
  vi.advanceTimersByTime(2);
  return turns(3).then(() => expect(made.sort()).toEqual(["after it", "scheduled meanwhile"]));
});

test("makes so many calls in a turn of the event loop, and the others in the next ones", async () => {
  const { start, timer } = counted();
  let made = 0;
  const many = 10 * MOST_IN_TURN;
  for (let index = 0; index < many; index++) {
    timer.after(1, () => {
      made++;
    });
  }
  vi.advanceTimersByTime(1);
  expect(made).toBe(MOST_IN_TURN);
  await turns(20);
  expect(made).toBe(many);
  expect(start).toHaveBeenCalledTimes(1);
});

test("waits no longer than runtimes can", () => {
  const { start, timer } = counted();
  timer.after(2 ** 40, () => {});
  expect(start.mock.calls[0]?.[0]).toBe(2 ** 31 - 1);
});

/** Lets turns of the real event loop pass. */
async function turns(count: number): Promise<void> {
  const { setImmediate: turn } =
    await vi.importActual<typeof import("node:timers/promises")>("node:timers/promises");
  for (let left = count; left > 0; left--) await turn();
}
