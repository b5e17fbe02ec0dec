import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { Loan } from "../../../src/stores/lending/loan.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { FarPart } from "../../../src/stores/regions/far-part.ts";

const plan = planFor("it", { kind: "token bucket", rate: 10, period: 1000, share: 1000 });
const at = (ms: number) => ({ elapsed: ms, wall: ms });
const lent = { units: 4, lasts: 1000, unlisted: [] };

const setUp = () => new Loan({ plan, key: "k" });

test("what is lent is over so long after the draw was sent, however late its answer comes", () => {
  const loan = setUp();
  const draw = loan.draw({ id: 1, want: 4 }, at(0));
  expect(loan.accept(draw.id, lent)).toBe(4);
  expect(loan.holder.take(1, at(990))).toBe(true);
  expect(loan.holder.take(1, at(1000))).toBe(false);
});

test("what is given up may be used no longer, and an answer that comes later neither", () => {
  const loan = setUp();
  const first = loan.draw({ id: 1, want: 4 }, at(0));
  loan.accept(first.id, lent);
  const second = loan.draw({ id: 2, want: 4 }, at(20));
  loan.giveUp();
  expect(loan.holder.units).toBe(0);
  expect(loan.accept(second.id, lent)).toBe(0);
  const { back } = loan.draw({ id: 3, want: 0 }, at(40));
  expect(back.map(({ id }) => id)).toEqual([1, 2]);
});

test("a draw that failed is given back by name until that was heard", () => {
  const part = new FarPart({ name: "us", index: 0, store: memoryStore() }, { plan, key: "k" });
  const { loan } = part;
  loan.failed(loan.draw({ id: 1, want: 4 }, at(0)).id);
  part.failed(at(100));
  expect(part.isOpen(599)).toBe(false);
  expect(part.isOpen(600)).toBe(true);
  const again = loan.draw({ id: 2, want: 4 }, at(600));
  expect(again.back.map(({ id }) => id)).toEqual([1]);
  loan.accept(again.id, lent);
  expect(loan.owes).toBe(false);
});

test("a draw without an answer for as long as what it lends is held is given up, and is owed", () => {
  const part = new FarPart({ name: "us", index: 0, store: memoryStore() }, { plan, key: "k" });
  const { id } = part.loan.draw({ id: 1, want: 4 }, at(0));
  part.giveUpLate(at(999));
  expect(part.loan.owes).toBe(false);
  part.giveUpLate(at(1000));
  expect(part.loan.owes).toBe(true);
  expect(part.loan.accept(id, lent)).toBe(0);
  expect([part.isOpen(1499), part.isOpen(1500)]).toEqual([false, true]);
  expect(part.loan.draw({ id: 2, want: 0 }, at(1500)).back.map(({ id }) => id)).toEqual([1]);
});

test.each([
  ["failed", (loan: Loan) => loan.failed(2)],
  ["was given up", (loan: Loan) => loan.giveUp()],
])("a draw that %s reports again what was used up", (_, end) => {
  const loan = setUp();
  loan.accept(loan.draw({ id: 1, want: 4 }, at(0)).id, lent);
  expect(loan.holder.take(4, at(20))).toBe(true);
  const lost = loan.draw({ id: 2, want: 4 }, at(20));
  expect(lost.left).toEqual([{ id: 1, units: 0 }]);
  end(loan);
  const { back } = loan.draw({ id: 3, want: 0 }, at(900));
  expect(back).toContainEqual({ id: 1, units: 0 });
  expect(back.map(({ id }) => id)).toEqual([1, 2]);
});
