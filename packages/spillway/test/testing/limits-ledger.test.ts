/** When units were taken, what there was no room for, and what was refused though there was some. */
import { expect, test } from "vitest";
import type { Decision } from "../../src/limits/core/index.ts";
import { SimulatedCall } from "../../src/testing/simulation/limits/call.ts";
import { Ledger } from "../../src/testing/simulation/limits/ledger.ts";
import { emptyLimitTally } from "../../src/testing/simulation/limits/recording.ts";

const START = Date.UTC(2026, 0, 1);
const limits = { it: { kind: "token bucket", rate: 1, period: 1000, capacity: 2 } } as const;

function callOf(count = 1) {
  const tally = emptyLimitTally();
  const call = new SimulatedCall({ limit: "it", key: "k", count, arrived: 0, tallies: [tally] });
  return { call, tally };
}

const decided = { degraded: undefined } as unknown as Decision;
const degraded = { degraded: true } as Decision;

test("units are taken when a store charges them, those held before it was asked for the rest", () => {
  const { call } = callOf(5);
  call.sent(10);
  call.decided({ ok: false, units: 5 }, 11);
  call.sent(12);
  call.decided({ ok: true, units: 2 }, 13);
  expect(call.taken(decided, 14)).toEqual([
    { at: 13, units: 2 },
    { at: 12, units: 3 },
  ]);
  expect(call.taken(degraded, 14)).toEqual([{ at: 14, units: 5 }]);
});

test("units that are held are taken at once, and refusals are those of the store, or of here", () => {
  const { call } = callOf(5);
  expect(call.taken(decided, 14)).toEqual([{ at: 14, units: 5 }]);
  expect(call.refusedAt(decided, 14)).toBe(14);
  call.sent(12);
  call.decided({ ok: false, units: 5 }, 13);
  expect(call.refusedAt(decided, 14)).toBe(13);
  expect(call.refusedAt(degraded, 14)).toBe(14);
});

test("the limit has room in the order of instants, whenever answers came", () => {
  const ledger = new Ledger(limits, START);
  const [late, early, third, over] = [callOf(2), callOf(2), callOf(), callOf()];
  ledger.admitted(late.call, [{ at: 2000, units: 2 }]);
  ledger.admitted(early.call, [{ at: 0, units: 2 }]);
  ledger.admitted(third.call, [{ at: 3000, units: 1 }]);
  ledger.admitted(over.call, [{ at: 3999.9, units: 1 }]);
  ledger.settle();
  expect([late, early, third, over].map(({ tally }) => tally.over)).toEqual([0, 0, 0, 1]);
});

test("a refusal had room where units were left that nobody used later", () => {
  const ledger = new Ledger(limits, START);
  const [first, second, third, later] = [callOf(), callOf(), callOf(), callOf()];
  for (const { call } of [first, second, third]) ledger.refused(call, 0);
  // One of the two units is used after all.
  ledger.admitted(later.call, [{ at: 10, units: 1 }]);
  ledger.settle();
  const counted = [first, second, third, later].map(({ tally }) => tally.refusedWithRoom);
  expect(counted).toEqual([1, 0, 0, 0]);
  expect(later.tally.over).toBe(0);
});
