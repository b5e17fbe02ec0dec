import { afterEach, expect, test, vi } from "vitest";
import { memoryQueue } from "../../src/deferred/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";

const JOBS = 20_000;

afterEach(() => vi.restoreAllMocks());

/** The longest array that was searched, or in which entries were moved. */
function longestWalk(): () => number {
  let longest = 0;
  const { prototype } = Array;
  for (const name of [
    "splice",
    "indexOf",
    "lastIndexOf",
    "shift",
    "unshift",
    "includes",
  ] as const) {
    const original = prototype[name] as (...args: never[]) => unknown;
    vi.spyOn(prototype, name).mockImplementation(function (this: unknown[], ...args: never[]) {
      longest = Math.max(longest, this.length);
      return original.apply(this, args);
    } as never);
  }
  return () => longest;
}

const idOf = (place: number) => `${(place * 7919) % JOBS}`;

test("a job is added, cancelled and forgotten without a walk through all others", async () => {
  const scheduler = new VirtualScheduler();
  const queue = memoryQueue({ scheduler, clock: scheduler.clock, maxFinished: JOBS / 4 });
  const longest = longestWalk();
  for (let place = 0; place < JOBS; place++) {
    const id = idOf(place);
    await queue.add({ id, data: null, startAt: scheduler.clock() + Number(id), wait: 0 } as never);
  }
  for (let place = 0; place < JOBS; place += 2) await queue.cancel(idOf(place));
  const walked = longest();
  vi.restoreAllMocks();
  expect(walked).toBeLessThan(100);
  // The last quarter of those that are over is known still.
  const states = await Promise.all([0, JOBS / 2 + 2, 1].map((place) => queue.find(idOf(place))));
  expect(states.map((known) => known?.state)).toEqual([undefined, "cancelled", "queued"]);
});

test("jobs of one time start in the order in which they came, without those that were cancelled", async () => {
  const scheduler = new VirtualScheduler();
  const queue = memoryQueue({ scheduler, clock: scheduler.clock });
  const startAt = scheduler.clock() + 1000;
  for (const id of ["a", "b", "c", "d"])
    await queue.add({ id, data: id, startAt, wait: 0 } as never);
  await queue.add({ id: "first", data: "first", startAt: startAt - 1, wait: 0 } as never);
  await queue.cancel("b");
  const started: unknown[] = [];
  queue.work(
    async ({ data }) => {
      started.push(data);
      return { type: "done", result: undefined };
    },
    { concurrency: 1 },
  );
  await scheduler.advance(2000);
  expect(started).toEqual(["first", "a", "c", "d"]);
});
