import { expect, test } from "vitest";
import { planFor, Steps } from "../../../src/limits/algorithms/index.ts";
import { type Command, State } from "../../../src/limits/core/index.ts";
import {
  denialCache,
  type Executor,
  type RequestInfo,
  resilient,
} from "../../../src/stores/index.ts";
import { manualClock } from "../../../src/testing/index.ts";

const plan = planFor("pages", { kind: "token bucket", rate: 2, period: "1h" });
const take = (count: number) => ({
  verb: "limit" as const,
  budgets: [{ plan, key: "k", count, reserve: false }],
});

/** A store of one state whose answers can be held back, and the number of its requests. */
function setUp() {
  const clock = manualClock();
  const state = new State();
  const calls = { requests: 0, gate: Promise.resolve() };
  const executor: Executor<"later"> = {
    timing: "later",
    name: "one state",
    async execute(commands: readonly Command[], { observer }: RequestInfo) {
      calls.requests++;
      const [seen, now, { gate }] = [state.copy(), clock(), calls];
      const isRead = commands.every(({ verb }) => verb !== "limit");
      const outcomes = commands.map((command) => {
        return { answer: new Steps(() => state).execute(command, now) };
      });
      await gate;
      // A cache learns when the answer arrives.
      const learning = new Steps(() => seen, observer);
      for (const command of commands) if (!isRead) learning.execute(command, now);
      return outcomes;
    },
  };
  return { clock, state, calls, store: resilient(executor, { deadline: 10_000 }) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("an older answer that arrives later does not replace a newer one", async () => {
  const { clock, state, calls, store } = setUp();
  const cached = denialCache(store, { clock });
  await cached.execute(take(2));
  const held = Promise.withResolvers<void>();
  calls.gate = held.promise;
  const older = cached.execute(take(1));
  await turn();
  // Another process settles one unit.
  state.used -= plan.ticksPerUnit;
  calls.gate = Promise.resolve();
  clock.advance(1);
  expect(await cached.execute(take(2))).toMatchObject([{ ok: false, remaining: 1 }]);
  held.resolve();
  expect(await older).toMatchObject([{ ok: false, remaining: 0 }]);
  expect(await cached.execute(take(1))).toMatchObject([{ ok: true, remaining: 0 }]);
});

test("what is asked after the clock went back replaces what was asked before", async () => {
  const { clock, calls, store } = setUp();
  const cached = denialCache(store, { clock });
  await cached.execute(take(2));
  await cached.execute(take(1));
  clock.advance(-10);
  await cached.execute(take(1));
  const before = calls.requests;
  expect(await cached.execute(take(1))).toMatchObject([{ ok: false }]);
  expect(calls.requests).toBe(before);
});

test("two caches over one store both learn", async () => {
  const { clock, calls, store } = setUp();
  const [one, other] = [denialCache(store, { clock }), denialCache(store, { clock })];
  await one.execute(take(2));
  expect(await one.execute(take(1))).toMatchObject([{ ok: false }]);
  const before = calls.requests;
  expect(await one.execute(take(1))).toMatchObject([{ ok: false }]);
  expect(await other.execute(take(1))).toMatchObject([{ ok: false }]);
  expect(calls.requests).toBe(before);
});

test("false is no cache", () => {
  const { store } = setUp();
  expect(denialCache(store, false)).toBe(store);
});
