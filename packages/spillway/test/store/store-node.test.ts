import { expect, test } from "vitest";
import { planFor } from "../../src/algorithms/index.ts";
import type { Command } from "../../src/core/index.ts";
import { Breaker } from "../../src/store/resilient/breaker.ts";
import type { MicroBatch } from "../../src/store/resilient/micro-batch.ts";
import { StoreNode } from "../../src/store/resilient/store-node.ts";
import { manualClock } from "../../src/testing/index.ts";

const plan = planFor("it", { kind: "token bucket", rate: 5, period: "1h" });

type Waiting = { readonly command: Command; readonly number: number };

function waiting(number: number, budgets = 1): Waiting {
  const asks = Array.from({ length: budgets }, (_, n) => ({
    plan,
    key: `${number} ${n}`,
    count: 1,
    reserve: false,
  }));
  return { number, command: { verb: "limit", budgets: asks } };
}

function node(settings: Partial<ConstructorParameters<typeof StoreNode>[2]> = {}) {
  const breaker = new Breaker({ failures: 3, pause: 1000 }, manualClock());
  const usual = { mostBudgets: 4, mostInFlight: 30, mostWaiting: 100_000, ...settings };
  return new StoreNode<Waiting>("a node", breaker, usual);
}

const numbers = (batch: MicroBatch<Waiting> | undefined) => batch?.all.map(({ number }) => number);

test("what waits for one place shares requests, in order; each place has its own", () => {
  const one = node();
  for (let number = 0; number < 12; number++) one.add(number % 2, waiting(number));
  expect(numbers(one.next())).toEqual([0, 2, 4, 6]);
  expect(numbers(one.next())).toEqual([1, 3, 5, 7]);
  // One that is there after the last of its place was taken begins another.
  one.add(0, waiting(12));
  expect(numbers(one.next())).toEqual([8, 10, 12]);
  one.add(1, waiting(13));
  expect(numbers(one.next())).toEqual([9, 11, 13]);
  expect(one.next()).toBeUndefined();
});

test("a command is never divided, and goes alone where it is too large", () => {
  const one = node();
  for (const [number, budgets] of [3, 2, 2, 9, 1].entries()) one.add(0, waiting(number, budgets));
  const parts = Array.from({ length: 4 }, () => numbers(one.next()));
  expect(parts).toEqual([[0], [1, 2], [3], [4]]);
});

test("no more is in flight than there may be, but one request always", () => {
  const one = node({ mostInFlight: 22 });
  for (let number = 0; number < 12; number++) one.add(0, waiting(number));
  const first = one.next() as MicroBatch<Waiting>;
  one.sent(first);
  const second = one.next() as MicroBatch<Waiting>;
  one.sent(second);
  expect(one.next()).toBeUndefined();
  one.ended(first);
  expect(numbers(one.next())).toEqual([8, 9, 10, 11]);
  one.ended(second);
  one.add(0, waiting(12, 50));
  expect(numbers(one.next())).toEqual([12]);
});

test("what is too much is not taken, and drained is all that waits", () => {
  const one = node({ mostWaiting: 5 });
  const taken = Array.from({ length: 7 }, (_, number) => one.add(0, waiting(number)));
  expect(taken).toEqual([true, true, true, true, true, false, false]);
  expect(one.next()?.all).toHaveLength(4);
  expect(one.drain().map(({ number }) => number)).toEqual([4]);
  expect(one.next()).toBeUndefined();
  expect(one.add(0, waiting(9))).toBe(true);
  expect(numbers(one.next())).toEqual([9]);
});

test("keeps the order however long the queue has been", () => {
  const one = node({ mostBudgets: 1 });
  let [added, taken] = [0, 0];
  const take = (many: number) => {
    for (let n = 0; n < many; n++) expect(numbers(one.next())).toEqual([taken++]);
  };
  const add = (many: number) => {
    for (let n = 0; n < many; n++) one.add(0, waiting(added++));
  };
  for (let round = 0; round < 10; round++) {
    add(1500);
    take(1200);
  }
  take(added - taken);
  expect(one.next()).toBeUndefined();
});
