import { expect, test } from "vitest";
import { StandbyQueue } from "../../src/shedding/standby.ts";
import { type QueuedWork, WaitQueue } from "../../src/shedding/wait-queue.ts";
import { Waiters } from "../../src/shedding/waiters.ts";

type Rest = Partial<Pick<QueuedWork, "until" | "isStandby" | "level">>;

const one = (priority: QueuedWork["priority"], since: number, rest: Rest = {}): QueuedWork => ({
  priority,
  level: 0,
  since,
  until: Infinity,
  isStandby: false,
  ...rest,
});

function filled(): WaitQueue<QueuedWork> {
  const queue = new WaitQueue<QueuedWork>();
  for (const since of [1, 2]) {
    queue.add(one("background", since));
    queue.add(one("low", since));
    queue.add(one("critical", since));
  }
  return queue;
}

test("what is critical comes first, and of all others the oldest", () => {
  const queue = filled();
  const order = Array.from({ length: 7 }, () => queue.takeNext(undefined));
  expect(order.map((each) => each && `${each.priority} ${each.since}`)).toEqual([
    "critical 1",
    "critical 2",
    "low 1",
    "background 1",
    "low 2",
    "background 2",
    undefined,
  ]);
});

test("from the border down the newest come first", () => {
  const queue = filled();
  const order = Array.from({ length: 6 }, () => queue.takeNext("low"));
  expect(order.map((each) => each && `${each.priority} ${each.since}`)).toEqual([
    "critical 1",
    "critical 2",
    "low 2",
    "low 1",
    "background 2",
    "background 1",
  ]);
});

test("what is critical is served in order, also where it alone is too much", () => {
  const queue = filled();
  expect(queue.takeNext("critical")).toEqual(one("critical", 1));
  expect(queue.takeNext("critical")).toEqual(one("critical", 2));
});

test("what has waited for long goes, from the border down, but nothing that is critical", () => {
  const queue = filled();
  expect(queue.oldest).toBe(1);
  expect(queue.takeBefore({ since: 2, border: "low" })).toEqual([
    one("low", 1),
    one("background", 1),
  ]);
  expect(queue.length).toBe(4);
  expect(queue.takeBefore({ since: 9, border: "critical" })).toHaveLength(2);
  expect(queue.takeCriticalBefore(1)).toEqual([]);
  expect(queue.takeCriticalBefore(2)).toEqual([one("critical", 1)]);
  expect(queue.oldest).toBe(2);
});

test("as many go as have waited for too long, the least important for those that matter more", () => {
  const queue = filled();
  queue.add(one("normal", 3));
  expect(queue.takeForThoseBefore(1)).toEqual([]);
  expect(queue.takeForThoseBefore(2)).toEqual([one("background", 1), one("background", 2)]);
  expect(queue.takeForThoseBefore(9)).toHaveLength(3);
  expect(queue.takeForThoseBefore(9)).toEqual([]);
  expect(queue.length).toBe(2);
});

test("work is withdrawn while it waits", () => {
  const waiters = new Waiters<QueuedWork>();
  const [inLine, standby] = [one("low", 1), standing(0, 1)];
  waiters.add(inLine);
  waiters.add(standby);
  waiters.remove(inLine);
  expect([waiters.length, waiters.inLine]).toEqual([1, 0]);
  waiters.remove(inLine);
  waiters.remove(standby);
  expect(waiters.length).toBe(0);
});

test("a million leave the line in any order, each in a few steps", () => {
  const queue = new WaitQueue<QueuedWork>();
  const all = Array.from({ length: 1_000_000 }, (_, since) => one("normal", since));
  for (const each of all) queue.add(each);
  // With a search or a shift for each, this would take some ten minutes, and time out.
  for (let least = 0; least < all.length / 2; least++) {
    queue.remove(all[least] as QueuedWork);
    queue.remove(all[all.length - 1 - least] as QueuedWork);
  }
  expect(queue.length).toBe(0);
});

test("what nobody waits for goes, wherever it stands", () => {
  const queue = filled();
  queue.add(one("critical", 3, { until: 10 }));
  queue.add(one("low", 4, { until: 5 }));
  expect(queue.takeLate(4)).toEqual([]);
  expect(queue.takeLate(5)).toEqual([one("low", 4, { until: 5 })]);
  expect(queue.takeLate(10)).toEqual([one("critical", 3, { until: 10 })]);
  expect(queue.length).toBe(6);
});

test("what matters less makes room", () => {
  const queue = filled();
  expect(queue.takeLessThan("low")).toEqual(one("background", 1));
  expect(queue.takeLessThan("low")).toEqual(one("background", 2));
  expect(queue.takeLessThan("low")).toBeUndefined();
});

const standing = (level: number, since: number, until = Infinity) =>
  one("low", since, { level, until, isStandby: true });

test("a few stand by, the most important and of these the newest", () => {
  const standby = new StandbyQueue<QueuedWork>();
  for (const [since, level] of [5, 9, 7, 9].entries()) {
    expect(standby.add(standing(level, since))).toBeUndefined();
  }
  expect(standby.add(standing(8, 4))).toEqual(standing(9, 1));
  expect(standby.add(standing(9, 5))).toEqual(standing(9, 3));
  expect(standby.takeNext()).toEqual(standing(5, 0));
  expect(standby.takeBefore(4)).toEqual([standing(7, 2)]);
  expect(standby.length).toBe(2);
  expect(standby.takeNext()).toEqual(standing(8, 4));
  expect(standby.takeNext()).toEqual(standing(9, 5));
  expect(standby.takeNext()).toBeUndefined();
});

test("of all that waits, what stands by comes last, goes when it is old, and makes nothing old", () => {
  const waiters = new Waiters<QueuedWork>();
  waiters.add(standing(0, 1));
  expect([waiters.length, waiters.inLine, waiters.oldest]).toEqual([1, 0, undefined]);
  waiters.add(one("background", 2));
  expect([waiters.length, waiters.inLine, waiters.oldest]).toEqual([2, 1, 2]);
  expect(waiters.takeNext(undefined)).toEqual(one("background", 2));
  expect(waiters.takeStandbyBefore(1)).toEqual([]);
  expect(waiters.takeStandbyBefore(2)).toEqual([standing(0, 1)]);
  expect(waiters.takeNext(undefined)).toBeUndefined();
});

test("of all that waits, what is late goes, and when that may next be is known", () => {
  const waiters = new Waiters<QueuedWork>();
  expect(waiters.earliest).toBe(Infinity);
  waiters.add(one("low", 0, { until: 30 }));
  waiters.add(standing(0, 0, 20));
  waiters.add(standing(0, 0, 40));
  expect(waiters.earliest).toBe(20);
  expect(waiters.takeLate(19)).toEqual([]);
  expect(waiters.takeLate(20)).toEqual([standing(0, 0, 20)]);
  expect(waiters.earliest).toBe(30);
  expect(waiters.takeLate(40)).toEqual([one("low", 0, { until: 30 }), standing(0, 0, 40)]);
  expect([waiters.length, waiters.earliest]).toEqual([0, Infinity]);
});
