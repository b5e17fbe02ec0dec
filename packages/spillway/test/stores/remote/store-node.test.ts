import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import { SlotBreakers } from "../../../src/stores/remote/breaker.ts";
import {
  type MicroBatch,
  type PendingCommand,
  StoreNode,
} from "../../../src/stores/remote/store-node.ts";
import { manualClock } from "../../../src/testing/index.ts";

const plan = planFor("it", { kind: "token bucket", rate: 5, period: "1h" });

type Waiting = PendingCommand & { readonly number: number };

function waiting(number: number, { slot = 0, budgets = 1 } = {}): Waiting {
  const asks = Array.from({ length: budgets }, (_, n) => ({
    plan,
    key: `${number} ${n}`,
    count: 1,
    reserve: false,
  }));
  const command = { verb: "limit", budgets: asks } as const;
  return { number, command, slot, isOne: false, resolve: () => {}, reject: () => {} };
}

function node(settings: Partial<ConstructorParameters<typeof StoreNode>[2]> = {}) {
  const breakers = new SlotBreakers({ failures: 3, pause: 1000 }, manualClock());
  const usual = {
    mostBudgets: 4,
    mostInFlight: 1000,
    mostWaiting: 100_000,
    hasSlots: true,
    ...settings,
  };
  return new StoreNode("a node", breakers, usual);
}

const numbersOf = (all: readonly PendingCommand[]) => all.map((one) => (one as Waiting).number);
const numbers = (batch: MicroBatch | undefined) => batch && numbersOf(batch.all);

test("what waits for one place shares requests, in order; each place has its own", () => {
  const one = node();
  for (let number = 0; number < 12; number++) one.add(waiting(number, { slot: number % 2 }));
  expect(numbers(one.next())).toEqual([0, 2, 4, 6]);
  expect(numbers(one.next())).toEqual([1, 3, 5, 7]);
  // One that is there after the last of its place was taken begins another.
  one.add(waiting(12));
  expect(numbers(one.next())).toEqual([8, 10, 12]);
  one.add(waiting(13, { slot: 1 }));
  expect(numbers(one.next())).toEqual([9, 11, 13]);
  expect(one.next()).toBeUndefined();
});

test("a command is never divided, and goes alone where it is too large", () => {
  const one = node();
  for (const [number, budgets] of [3, 2, 2, 9, 1].entries()) {
    one.add(waiting(number, { budgets }));
  }
  const parts = Array.from({ length: 4 }, () => numbers(one.next()));
  expect(parts).toEqual([[0], [1, 2], [3], [4]]);
});

test("no more is in flight than there may be, but one request always", () => {
  const one = node({ mostInFlight: 22 });
  for (let number = 0; number < 12; number++) one.add(waiting(number));
  const first = one.next() as MicroBatch;
  const second = one.next() as MicroBatch;
  expect(one.next()).toBeUndefined();
  one.ended(first);
  const third = one.next() as MicroBatch;
  expect(numbers(third)).toEqual([8, 9, 10, 11]);
  expect(one.next()).toBeUndefined();
  for (const batch of [second, third]) one.ended(batch);
  one.add(waiting(12, { budgets: 50 }));
  expect(numbers(one.next())).toEqual([12]);
});

test("what is too much is not taken, and drained is all that waits", () => {
  const one = node({ mostWaiting: 5 });
  for (let number = 0; number < 7; number++) one.add(waiting(number));
  expect(numbersOf(one.refused)).toEqual([5, 6]);
  expect(one.next()?.all).toHaveLength(4);
  expect(numbersOf(one.drain())).toEqual([4]);
  expect(one.next()).toBeUndefined();
  one.add(waiting(9));
  expect(numbers(one.next())).toEqual([9]);
});

test("what waits for one slot is drained alone, and the rest goes on in order", () => {
  const one = node();
  for (let number = 0; number < 12; number++) one.add(waiting(number, { slot: number % 2 }));
  expect(numbersOf(one.drain(1))).toEqual([1, 3, 5, 7, 9, 11]);
  one.add(waiting(13, { slot: 1 }));
  const parts = [one.next(), one.next(), one.next()].map(numbers);
  expect(parts).toEqual([[0, 2, 4, 6], [8, 10], [13]]);
  expect(one.drain(0)).toEqual([]);
});

test("keeps the order however long the queue has been", () => {
  const one = node({ mostBudgets: 1, mostInFlight: 1_000_000 });
  let [added, taken] = [0, 0];
  const take = (many: number) => {
    for (let n = 0; n < many; n++) expect(numbers(one.next())).toEqual([taken++]);
  };
  const add = (many: number) => {
    for (let n = 0; n < many; n++) one.add(waiting(added++));
  };
  for (let round = 0; round < 10; round++) {
    add(1500);
    take(1200);
  }
  take(added - taken);
  expect(one.next()).toBeUndefined();
});
