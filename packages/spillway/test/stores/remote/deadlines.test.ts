/** Waits that are not equally long share a timer, and none ends later than it says. */
import { expect, test } from "vitest";
import { Deadlines } from "../../../src/stores/remote/deadlines.ts";
import { EventLoop } from "../../../src/testing/simulation/event-loop.ts";
import { VirtualTime } from "../../../src/testing/simulation/virtual-time.ts";

const DEADLINE = 50;

/** When waits are late that start at some instants, each with its end where that is not as usual. */
async function lateAt(starts: readonly (readonly [at: number, until?: number])[]) {
  const loop = new EventLoop(new VirtualTime());
  const deadlines = new Deadlines(DEADLINE, loop);
  const late: (readonly [start: number, late: number])[] = [];
  for (const [at, until] of starts) {
    loop.afterDelay(at, () => {
      deadlines.start(() => late.push([at, loop.elapsed()]), until);
    });
  }
  await loop.run(() => late.length === starts.length);
  return late;
}

test("one that ends far away keeps none waiting that comes after it", async () => {
  expect(await lateAt([[1, 2000], [100], [500]])).toEqual([
    [100, 150],
    [500, 550],
    [1, 2000],
  ]);
});

test("one that ends sooner than usual ends then, whether another waits or not", async () => {
  expect(await lateAt([[1, 11]])).toEqual([[1, 11]]);
  expect(await lateAt([[1], [10, 20], [12]])).toEqual([
    [10, 20],
    [1, 51],
    [12, 62],
  ]);
});

test("what was in time is not late, and holds up nobody", async () => {
  const loop = new EventLoop(new VirtualTime());
  const deadlines = new Deadlines(DEADLINE, loop);
  const late: number[] = [];
  loop.afterDelay(1, () => {
    const first = deadlines.start(() => late.push(1), 1000);
    deadlines.end(first);
    deadlines.start(() => late.push(loop.elapsed()));
  });
  await loop.run(() => late.length > 0);
  expect(late).toEqual([51]);
});

test("a wait whose end has passed by the time a timer is set is late at once, and no timer is set for before", () => {
  const set: number[] = [];
  let now = 0;
  const deadlines = new Deadlines(DEADLINE, {
    // Time goes by between any two looks at it.
    elapsed: () => (now += 0.25),
    afterDelay: (ms) => void set.push(ms),
    afterTurn: () => {},
  });
  deadlines.start(() => {}, 0.3);
  deadlines.start(() => {}, 0.2);
  expect(set.map((ms) => Math.sign(ms))).toEqual([0, 0]);
});
