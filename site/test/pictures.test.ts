/** What pictures show of a play. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  barsOf,
  columnsOf,
  csvOf,
  decisionAt,
  instantsOf,
  levelsOf,
  PRESETS,
  playAll,
  summaryOf,
  type View,
} from "../model/index.ts";
import { setups } from "./setups.ts";

describe("a picture's numbers", () => {
  it("count every decision in view once", () => {
    fc.assert(
      fc.property(setups, fc.integer({ min: 1, max: 300 }), (setup, columns) => {
        for (const one of playAll(setup)) {
          const { columns: all, end } = columnsOf(one);
          const bars = barsOf(all, { from: 0, to: end, columns });
          const sum = (numbers: Float64Array) => numbers.reduce((total, count) => total + count, 0);
          expect(sum(bars.admitted)).toBe(summaryOf(one).admitted);
          expect(sum(bars.refused)).toBe(summaryOf(one).refused);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("are the levels of every reading, in few points", () => {
    const from = fc.double({ min: 0, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(setups, fc.integer({ min: 1, max: 300 }), from, (setup, columns, part) => {
        for (const one of playAll(setup)) {
          const { columns: all, end } = columnsOf(one);
          const view = { from: part * end, to: end, columns };
          const levels = levelsOf(all, view);
          expect(levels.at.length).toBeLessThanOrEqual(4 * (columns + 2));
          const reduced = { readAt: levels.at, left: levels.left };
          for (let column = 0; column < columns; column++) {
            expect(reachIn(reduced, view, column)).toEqual(reachIn(all, view, column));
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("have each instant of a decision once, in order", () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const plays = playAll(setup);
        const all = plays.flatMap(({ decisions }) => decisions.map(({ at }) => at));
        const expected = [...new Set(all)].sort((a, b) => a - b);
        expect([...instantsOf(plays.map(columnsOf))]).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it("are those of the decisions", () => {
    for (const { setup } of PRESETS) {
      for (const one of playAll(setup)) {
        const { columns } = columnsOf(one);
        const same = one.decisions.map((_, index) => decisionAt(columns, index));
        expect(same).toEqual(one.decisions);
        expect(csvOf(columns).split("\n").length).toBe(one.decisions.length + 2);
      }
    }
  });
});

type Readings = { readonly readAt: ArrayLike<number>; readonly left: ArrayLike<number> };

/** The first, the least, the most and the last of what a line shows within a column of a view. */
function reachIn({ readAt, left }: Readings, { from, to, columns }: View, column: number) {
  const width = (to - from) / columns;
  const places = Array.from(
    readAt,
    (at, index) => [Math.floor((at - from) / width), index] as const,
  );
  const own = places.filter(([place]) => place === column).map(([, index]) => left[index] ?? 0);
  // The line that comes from before.
  const [, before = -1] = places.findLast(([place]) => place < column) ?? [];
  return [
    before < 0 ? undefined : left[before],
    own[0],
    Math.min(...own),
    Math.max(...own),
    own.at(-1),
  ];
}
