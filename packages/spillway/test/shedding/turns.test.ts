import { expect, test } from "vitest";
import { TurnSlice } from "../../src/shedding/turn-slice.ts";
import { WakeTimer } from "../../src/shedding/wake-timer.ts";
import { ManualScheduler } from "./manual-scheduler.ts";

test("it wakes once, by the earliest instant that was asked for", async () => {
  const scheduler = new ManualScheduler();
  const woken: number[] = [];
  const wake = new WakeTimer(scheduler, () => woken.push(scheduler.elapsed()));
  wake.by(100);
  wake.by(20.5);
  wake.by(50);
  await scheduler.advance(200);
  expect(woken).toEqual([21]);
  wake.by(190);
  wake.by(300);
  await scheduler.advance(200);
  expect(woken).toEqual([21, 200]);
});

function fresh(work: number) {
  const scheduler = new ManualScheduler();
  const state = { left: 0, started: 0 };
  const startNext = () => {
    if (state.left === 0) return false;
    state.left--;
    state.started++;
    scheduler.burn(work);
    return true;
  };
  return { scheduler, state, turn: new TurnSlice({ scheduler, slice: 10, startNext }) };
}

test("work is started for a slice, and then two quiet turns later", async () => {
  const { scheduler, state, turn } = fresh(4);
  state.left = 5;
  turn.serveSoon();
  turn.serveSoon();
  expect(state.started).toBe(0);
  const started: number[] = [];
  for (let each = 0; each < 4; each++) {
    await scheduler.turn();
    started.push(state.started);
  }
  expect(started).toEqual([3, 3, 5, 5]);
});

test("while turns bring more, they are heard first, but for no longer than a slice", async () => {
  const { scheduler, state, turn } = fresh(12);
  expect(turn.hear(scheduler.elapsed())).toBe(true);
  scheduler.burn(10);
  expect(turn.hear(scheduler.elapsed())).toBe(false);
  state.left = 2;
  for (let each = 0; each < 9; each++) {
    await scheduler.turn();
    scheduler.burn(1);
    expect(turn.hear(scheduler.elapsed())).toBe(false);
  }
  expect(state.started).toBe(0);
  scheduler.burn(1);
  await scheduler.turn();
  expect(state.started).toBe(1);
  await scheduler.turn();
  await scheduler.turn();
  expect(state.started).toBe(2);
});

test("once it is quiet no turn is watched, and what comes next may start at once", async () => {
  const { scheduler, turn } = fresh(1);
  expect(turn.hear(scheduler.elapsed())).toBe(true);
  for (let each = 0; each < 3; each++) await scheduler.turn();
  expect(scheduler.isIdle).toBe(true);
  scheduler.burn(1000);
  expect(turn.hear(scheduler.elapsed())).toBe(true);
});
