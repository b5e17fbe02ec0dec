import fc from "fast-check";
import { expect, test } from "vitest";
import { RunningSums } from "../../../src/limits/core/running-sums.ts";

const step = fc.record({
  verb: fc.constantFrom("push", "push", "push", "clear", "cut"),
  number: fc.nat(4),
  at: fc.nat(1000),
});

test("sums are those of an array that is added up, and are reached where they are there", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const sums = new RunningSums();
      const numbers: number[] = [];
      for (const { verb, number, at } of steps) {
        const index = at % Math.max(1, numbers.length);
        if (verb === "push") {
          sums.push(number);
          numbers.push(number);
        } else if (verb === "clear" && numbers.length > 0) {
          sums.clear(index);
          numbers[index] = 0;
        } else if (verb === "cut") {
          sums.cut(index);
          numbers.length = Math.min(numbers.length, index);
        }
        const totals = numbers.map((_, last) =>
          numbers.slice(0, last + 1).reduce((sum, one) => sum + one, 0),
        );
        expect(numbers.map((_, index) => sums.at(index))).toEqual(numbers);
        expect(numbers.map((_, index) => sums.ofFirst(index + 1))).toEqual(totals);
        const wanted = 1 + (at % 20);
        const reached = totals.findIndex((total) => total >= wanted);
        expect(sums.reaching(wanted)).toBe(reached < 0 ? numbers.length : reached);
      }
    }),
  );
});
