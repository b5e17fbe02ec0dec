import { expect, test } from "vitest";
import { TurnSlice } from "../../src/shedding/turn-slice.ts";
import { Wake } from "../../src/shedding/wake.ts";
import { ManualLater } from "./manual-later.ts";

test("it wakes once, by the earliest instant that was asked for", async () => {
  const later = new ManualLater();
  const woken: number[] = [];
  const wake = new Wake(later, () => woken.push(later.elapsed()));
  wake.by(100);
  wake.by(20.5);
  wake.by(50);
  await later.advance(200);
  expect(woken).toEqual([21]);
  wake.by(190);
  wake.by(300);
  await later.advance(200);
  expect(woken).toEqual([21, 200]);
});

test("work is started for a slice of each turn, until there is none", async () => {
  const later = new ManualLater();
  let [left, started] = [5, 0];
  const startNext = () => {
    if (left === 0) return false;
    left--;
    started++;
    later.burn(4);
    return true;
  };
  const turn = new TurnSlice({ later, slice: 10, startNext });
  turn.serveSoon();
  turn.serveSoon();
  expect(started).toBe(0);
  await later.turn();
  expect(started).toBe(3);
  await later.turn();
  expect(started).toBe(5);
  left = 1;
  await later.turn();
  expect(started).toBe(5);
  turn.serveSoon();
  await later.turn();
  expect(started).toBe(6);
});
