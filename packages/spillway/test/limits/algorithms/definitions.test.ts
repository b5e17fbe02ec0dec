/** What is kept beside a state while its limit has several definitions. */
import { expect, test } from "vitest";
import { planFor, Steps } from "../../../src/limits/algorithms/index.ts";
import { type Limit, type Plan, State } from "../../../src/limits/core/index.ts";

const HOUR = 3_600_000;
const NOW = 1_000_000 * HOUR;

const planOf = (limit: Limit) => planFor("it", limit);
const hourly = (rate: number) => planOf({ kind: "token bucket", rate, period: HOUR });

function stepping() {
  const state = new State();
  const steps = new Steps(() => state);
  const take = (plan: Plan, count: number, now = NOW) => {
    const lease = plan.kind === "concurrency" ? { id: 7, headroom: 0 } : undefined;
    const ask = { plan, key: undefined, count, reserve: false, lease };
    return steps.limit({ verb: "limit", budgets: [ask] }, now)[0]?.ok;
  };
  const value = (plan: Plan, now = NOW) =>
    steps.value({ verb: "value", budgets: [{ plan, key: undefined }] }, now);
  const kept = () => (state.others ?? []).map(({ state: other }) => other.plan?.rate);
  return { state, steps, take, value, kept };
}

test("a state has no others before its limit changes, nor once their time is over", () => {
  const { state, take, kept } = stepping();
  take(hourly(10), 1);
  expect(state.others).toBeUndefined();
  take(hourly(20), 1);
  expect(kept()).toEqual([10]);
  take(hourly(20), 1, NOW + 2 * HOUR - 1);
  expect(kept()).toEqual([10]);
  take(hourly(20), 1, NOW + 2 * HOUR);
  expect(state.others).toBeUndefined();
});

test("what others took does not keep a state whose definition is not asked under any more", () => {
  const { take, value } = stepping();
  const [strict, fast] = [hourly(10), planOf({ kind: "token bucket", rate: 20, period: 60_000 })];
  take(strict, 1);
  take(fast, 1);
  take(fast, 19, NOW + 2 * HOUR - 60_000);
  expect(value(fast, NOW + 2 * HOUR).remaining).toBe(20);
  expect(value(strict, NOW + 2 * HOUR).remaining).toBe(10);
});

test("with more than eight definitions, one record keeps what the others had used", () => {
  const { state, take, kept, value } = stepping();
  for (const rate of [11, 12, 13, 14, 15, 16, 17, 18]) take(hourly(rate), 1);
  expect(kept()).toEqual([11, 12, 13, 14, 15, 16, 17]);
  take(hourly(20), 2);
  expect(kept()).toEqual([11, 12, 13, 14, 15, 16, 17, 0]);
  const record = () => state.others?.at(-1);
  expect(record()?.state.used).toBe(10);
  expect(record()?.until).toBe(NOW + (8 / 18) * HOUR);
  expect(value(hourly(9)).remaining).toBe(0);
  expect(value(hourly(30)).remaining).toBe(20);
  expect(value(hourly(9), NOW + HOUR).remaining).toBe(9);
});

test("a clock that goes back takes along what is kept, and until when", () => {
  const { state, take } = stepping();
  take(hourly(10), 5);
  take(hourly(20), 1);
  const back = NOW - 1000 * HOUR;
  take(hourly(20), 1, back);
  const [other] = state.others ?? [];
  expect(other?.until).toBe(back + 2 * HOUR);
  expect(other?.state.since).toBe(back);
});

test("a block is kept once, and goes back with the clock under any definition", () => {
  const { state, steps, take, value } = stepping();
  const [one, other] = [hourly(10), planOf({ kind: "token bucket", rate: 2, period: "366d" })];
  for (const plan of [one, other, one]) take(plan, 1, NOW - 2000 * HOUR);
  steps.block({ verb: "block", budgets: [{ plan: one, key: undefined }], ms: 60_000 }, NOW);
  const back = NOW - 1000 * HOUR;
  expect(value(other, back)).toMatchObject({ blockedFor: 60_000, remaining: 0 });
  expect(state.others?.map(({ state }) => state.blockedUntil)).toEqual([0]);
});

test("settling a concurrency limit counts nowhere", () => {
  const { steps, take, value } = stepping();
  const lent = planOf({ kind: "concurrency", capacity: 5, ttl: HOUR });
  take(hourly(10), 1);
  take(lent, 1);
  const budgets = [{ plan: lent, key: undefined }] as const;
  steps.settle({ verb: "settle", budgets, settlement: { reserved: 0, used: 5 } }, NOW);
  expect(value(hourly(10)).remaining).toBe(8);
});
