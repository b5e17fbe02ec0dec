import { expect, test } from "vitest";
import { decide, planFor } from "../../../../src/limits/algorithms/index.ts";
import { State } from "../../../../src/limits/core/index.ts";
import { memoryStore } from "../../../../src/stores/memory/index.ts";
import { Loan } from "../../../../src/stores/regions/loan.ts";

const plan = planFor("it", { kind: "token bucket", rate: 10, period: 1000, share: 1000 });
const at = (ms: number) => ({ elapsed: ms, wall: ms });
const decision = decide(new State(), plan, { count: 0, reserve: false }, 0);
const lent = { units: 4, lasts: 1000, unlisted: [] };

function setUp() {
  const place = { name: "us", index: 0, store: memoryStore() };
  return new Loan(place, { plan, key: "k" });
}

test("what is lent is over so long after the draw was sent, however late its answer comes", () => {
  const loan = setUp();
  const draw = loan.draw({ id: 1, want: 4 }, at(0));
  expect(loan.drawn({ decision, lent }, draw, at(900))).toBe(4);
  expect(loan.holder.take(1, at(990))).toBe(true);
  expect(loan.holder.take(1, at(1000))).toBe(false);
});

test("what is given up may be used no longer, and an answer that comes later neither", () => {
  const loan = setUp();
  const first = loan.draw({ id: 1, want: 4 }, at(0));
  loan.drawn({ decision, lent }, first, at(10));
  const second = loan.draw({ id: 2, want: 4 }, at(20));
  loan.giveUp();
  expect(loan.holder.units).toBe(0);
  expect(loan.drawn({ decision, lent }, second, at(30))).toBe(0);
  const { back } = loan.draw({ id: 3, want: 0 }, at(40));
  expect(back.map(({ id }) => id)).toEqual([1, 2]);
});

test("a draw that failed is given back by name until that was heard", () => {
  const loan = setUp();
  loan.failed(loan.draw({ id: 1, want: 4 }, at(0)), at(100));
  expect(loan.isOpen(599)).toBe(false);
  expect(loan.isOpen(600)).toBe(true);
  const again = loan.draw({ id: 2, want: 4 }, at(600));
  expect(again.back.map(({ id }) => id)).toEqual([1]);
  loan.drawn({ decision, lent }, again, at(700));
  expect(loan.owes).toBe(false);
});

test.each([
  ["failed", (loan: Loan) => loan.failed({ id: 2 }, at(300))],
  ["was given up", (loan: Loan) => loan.giveUp()],
])("a draw that %s reports again what was used up", (_, end) => {
  const loan = setUp();
  loan.drawn({ decision, lent }, loan.draw({ id: 1, want: 4 }, at(0)), at(10));
  expect(loan.holder.take(4, at(20))).toBe(true);
  const lost = loan.draw({ id: 2, want: 4 }, at(20));
  expect(lost.left).toEqual([{ id: 1, units: 0 }]);
  end(loan);
  const { back } = loan.draw({ id: 3, want: 0 }, at(900));
  expect(back).toContainEqual({ id: 1, units: 0 });
  expect(back.map(({ id }) => id)).toEqual([1, 2]);
});
