import { expect, test } from "vitest";
import { Reserve } from "../../src/shedding/reserve.ts";
import { type Waiting, WaitQueue } from "../../src/shedding/wait-queue.ts";

const one = (priority: Waiting["priority"], since: number, until = Infinity): Waiting => ({
  priority,
  since,
  until,
});

function filled(): WaitQueue<Waiting> {
  const queue = new WaitQueue<Waiting>();
  for (const since of [1, 2]) {
    for (const priority of ["background", "low", "critical"] as const) {
      queue.add(one(priority, since));
    }
  }
  return queue;
}

test("the most important come first, and of one priority the oldest", () => {
  const queue = filled();
  const order = Array.from({ length: 7 }, () => queue.next(undefined));
  expect(order.map((each) => each && `${each.priority} ${each.since}`)).toEqual([
    "critical 1",
    "critical 2",
    "low 1",
    "low 2",
    "background 1",
    "background 2",
    undefined,
  ]);
});

test("from the border down the newest come first", () => {
  const queue = filled();
  const order = Array.from({ length: 6 }, () => queue.next("low"));
  expect(order.map((each) => each && `${each.priority} ${each.since}`)).toEqual([
    "critical 1",
    "critical 2",
    "low 2",
    "low 1",
    "background 2",
    "background 1",
  ]);
});

test("what has waited for long goes, from the border down", () => {
  const queue = filled();
  expect(queue.oldest).toBe(1);
  expect(queue.before(2, undefined)).toEqual([]);
  expect(queue.before(2, "low")).toEqual([one("low", 1), one("background", 1)]);
  expect(queue.length).toBe(4);
  expect(queue.before(9, "critical")).toHaveLength(4);
  expect(queue.oldest).toBeUndefined();
});

test("what nobody waits for goes, wherever it stands", () => {
  const queue = filled();
  queue.add(one("critical", 3, 10));
  queue.add(one("low", 4, 5));
  expect(queue.late(4)).toEqual([]);
  expect(queue.late(5)).toEqual([one("low", 4, 5)]);
  expect(queue.late(10)).toEqual([one("critical", 3, 10)]);
  expect(queue.length).toBe(6);
});

test("what matters less makes room", () => {
  const queue = filled();
  expect(queue.lessThan("low")).toEqual(one("background", 1));
  expect(queue.lessThan("low")).toEqual(one("background", 2));
  expect(queue.lessThan("low")).toBeUndefined();
});

test("a reserve keeps a few, the most important and of these the newest", () => {
  const reserve = new Reserve<{ level: number; since: number }>();
  const levels = [5, 9, 7, 9];
  for (const [since, level] of levels.entries()) {
    expect(reserve.add({ level, since })).toBeUndefined();
  }
  expect(reserve.add({ level: 8, since: 4 })).toEqual({ level: 9, since: 1 });
  expect(reserve.add({ level: 9, since: 5 })).toEqual({ level: 9, since: 3 });
  expect(reserve.take()).toEqual({ level: 5, since: 0 });
  expect(reserve.before(4)).toEqual([{ level: 7, since: 2 }]);
  expect(reserve.length).toBe(2);
  expect(reserve.take()).toEqual({ level: 8, since: 4 });
  expect(reserve.take()).toEqual({ level: 9, since: 5 });
  expect(reserve.take()).toBeUndefined();
});
